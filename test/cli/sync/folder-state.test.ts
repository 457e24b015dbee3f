import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { temporaryFolder, verso } from '../../harness/program.ts'

it.each(engines)('verso sync on $name writes files again that are missing, says so, and leaves the others alone', async (engine) => {
  const app = await startVerso(engine)
  for (const title of ['One', 'Two']) await app.post('/v1/posts', { title, status: 'published' })
  const folder = temporaryFolder()
  const run = () => verso(['sync', folder, '--url', app.app.url, '--key', app.public])
  await run()
  rmSync(join(folder, 'one.md'))
  expect(await run()).toMatchObject({
    code: 0,
    stdout: `${folder}: 1 file written, 0 files deleted.\n`,
    stderr: 'one.md is missing: comparing everything.\n',
  })
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort(),
  ).toEqual(['one.md', 'two.md'])
  expect(await run()).toMatchObject({ code: 0, stdout: `${folder} is up to date.\n`, stderr: '' })
})

it.each(['', '{"format":1,"cur', 'null', '{"format":1}', '{"format":1,"files":{"a":null},"claimed":[]}'])(
  'verso sync with the state %j: 1, and the file is named',
  async (text) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.verso-sync.json'), text)
    const { code, stderr } = await verso(['sync', folder, '--url', 'http://127.0.0.1:9', '--key', 'verso_pub_x'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: \S+\.verso-sync\.json is damaged\. [^\n]+\n$/)])
  },
)
