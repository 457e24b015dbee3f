import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { temporaryFolder } from '../harness/program.ts'

const example = (name: string) => resolve(import.meta.dirname, `../../examples/${name}`)

function run(name: string, env: Readonly<Record<string, string>>, argument: string) {
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((ended) =>
    execFile(process.execPath, [example(name), argument], { env: { ...env } }, (error, stdout, stderr) =>
      ended({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

for (const engine of engines)
  it(`examples/build-site.js writes an index, a page per tag and a page per post, with links that work in a folder, on ${engine.name}`, async () => {
    const verso = await startVerso(engine)
    await verso.post('/v1/posts', { title: 'First', content: '# One\n\n*Two* <script>three</script>', tags: ['News'], status: 'published' })
    await verso.post('/v1/posts', { title: 'Draft', tags: ['Plans'] })
    const folder = temporaryFolder()
    // A secret key sees drafts; a site never shows them.
    const env = { VERSO_URL: verso.app.url, VERSO_KEY: verso.secret }
    expect(await run('build-site.js', env, folder)).toEqual({ code: 0, stdout: `1 post and 1 tag written to ${folder}/\n`, stderr: '' })
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['index.html', 'posts', 'posts/first.html', 'tags', 'tags/news.html'])
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('href="posts/first.html"')
    expect(readFileSync(join(folder, 'tags/news.html'), 'utf8')).toContain('href="../posts/first.html"')
    expect(readFileSync(join(folder, 'posts/first.html'), 'utf8')).toMatch(/<h1 id="user-content-one">One<\/h1>\n<p><em>Two<\/em> <\/p>/)
  })

describe.each(['build-site.js', 'follow-changes.js'])('examples/%s says in one line why it cannot run', (name) => {
  it('no key', async () => {
    const ended = await run(name, {}, temporaryFolder())
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'Set VERSO_KEY to a public API key; the first start of Verso prints one.\n' })
  })

  it('no service at VERSO_URL, nor at PORT', async () => {
    const ended = await run(name, { VERSO_KEY: 'verso_pub_', PORT: '1' }, temporaryFolder())
    const stderr = 'Verso does not answer at http://127.0.0.1:1. Start it (npm start), or set VERSO_URL.\n'
    expect(ended).toEqual({ code: 1, stdout: '', stderr })
  })

  it('a key that is not valid', async () => {
    const [engine] = engines
    if (!engine) throw new Error('no engine')
    const verso = await startVerso(engine)
    const ended = await run(name, { VERSO_KEY: 'verso_pub_x', VERSO_URL: verso.app.url }, temporaryFolder())
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^.*401 .+\n$/) })
  })
})

it('examples/receive-webhooks.js says in one line that it needs a secret', async () => {
  const stderr = 'Set WEBHOOK_SECRET to the secret of a webhook; verso webhook create prints it.\n'
  expect(await run('receive-webhooks.js', {}, '0')).toEqual({ code: 1, stdout: '', stderr })
})
