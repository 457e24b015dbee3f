import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { engines } from '../../harness/harness.ts'
import { addressText, temporaryFolder, verso } from '../../harness/program.ts'
import { blogOf } from '../../import/blog-fixture.ts'

const [engine] = engines

it('verso export: 0 and a summary; 1 where a file was edited or the folder holds other things or cannot be made; 2 for a wrong status; verso import brings it back', async () => {
  const made = await engine?.create()
  if (!made) throw new Error('there is no engine')
  onTestFinished(made.drop)
  const database = addressText(made.address)
  const run = (...args: string[]) => verso([...args, '--database', database])
  for (const project of ['default', 'copy']) expect((await run('project', 'create', project)).code).toBe(0)
  const blog = await blogOf({ 'a.md': '---\ntitle: A\ndate: 2020-01-02\nauthor: Ada\n---\ntext\n', 'b.md': '---\ndraft: true\n---\n# B\n' })
  expect((await run('import', blog)).code).toBe(0)

  const folder = join(temporaryFolder(), 'out')
  expect(await run('export', folder)).toMatchObject({
    code: 0,
    stdout: `${folder}: 2 posts; 6 files written, 0 unchanged, 0 removed.\n`,
    stderr: '',
  })
  expect(readFileSync(join(folder, 'posts/a.md'), 'utf8')).toMatch(
    /^---\nid: post_\w+\ndate: 2020-01-02T00:00:00\.000Z\ncreatedAt: \S+\nupdatedAt: \S+\nstatus: published\nauthor: Ada\nauthorId: auth_\w+\nslug: a\ntitle: A\n---\ntext\n$/,
  )
  expect(readFileSync(join(folder, 'posts/b.md'), 'utf8')).toMatch(/\nstatus: draft\ndraft: true\n/)
  expect(JSON.parse((await run('export', folder, '--json')).stdout)).toMatchObject({
    posts: 2,
    files: { written: 0, unchanged: 6, removed: 0 },
  })

  const one = await run('export', join(temporaryFolder(), 'public'), '--status', 'published')
  expect(one.stdout).toMatch(/: 1 post; 5 files written, 0 unchanged, 0 removed\.\n$/)

  const back = await run('import', folder, '--project', 'copy')
  expect(back).toMatchObject({ code: 0, stderr: '' })
  expect(back.stdout).toMatch(/^posts created +2$/m)

  expect(await run('export', folder, '--project', 'copy')).toMatchObject({ code: 2, stderr: expect.stringContaining('another project') })

  writeFileSync(join(folder, 'posts/b.md'), 'mine')
  expect((await run('export', folder, '--status', 'published')).stderr).toContain('posts/b.md: edited since the last export; left alone')
  expect((await run('export', blog)).stderr).toContain('holds other files')
  expect((await run('export', folder, '--status', 'public')).code).toBe(2)
  expect((await run('export', folder, '--since', 'yesterday')).code).toBe(2)
  const nowhere = await run('export', '/proc/nowhere/at/all')
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringContaining('the folder /proc/nowhere cannot be created: its folder is not there'),
  ])
})
