import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { engines } from './harness/harness.ts'
import { addressText, main, temporaryFolder } from './harness/program.ts'

const root = resolve(import.meta.dirname, '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
]
  .filter((path) => path.endsWith('.md'))
  .sort()

interface Block {
  /** What stands after the three backticks: the language, and `service` or `norun`. */
  readonly info: string
  readonly text: string
  /** Of its first line. */
  readonly line: number
}

/** The fenced blocks of a page in their order. */
function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  for (let i = 0; i < lines.length; i++) {
    const opening = /^\s*```(.*)$/.exec(lines[i] ?? '')
    if (!opening) continue
    const start = i + 1
    while (i + 1 < lines.length && !/^\s*```\s*$/.test(lines[i + 1] ?? '')) i++
    blocks.push({ info: opening[1]?.trim() ?? '', text: lines.slice(start, i + 1).join('\n'), line: start + 1 })
    i++
  }
  return blocks
}

const isRun = ({ info }: Block) => info === 'sh'
const shellPages = pages.filter((page) => blocksOf(page).some(({ info }) => info === 'sh' || info === 'sh service'))

/** What must have been printed by the end of a page. */
const expected: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'README.md': [/"slug":"hello-world".*"status":"published"/, '3 posts and 2 tags written to site/', 'content: 3 files written'],
  'docs/tutorial.md': ['"data":[]', '2 posts and 1 tag written to site/'],
  'docs/how-to/back-up.md': ['written and verified', 'were restored, read back', 'Everything is as it should be.', 'has a new epoch'],
  'docs/how-to/follow-changes.md': ['content: 2 files written', 'content: 1 file written, 0 files deleted.', /written {2}first\.html\n/],
  'docs/how-to/edit-published-posts.md': [
    /"content":"Nine to six.".*"status":"published".*"version":2/,
    /"scheduledFor":"2099-01-01T00:00:00.000Z"/,
  ],
  'docs/how-to/export.md': ['content-files: ', 'posts created'],
  'docs/how-to/feeds.md': [],
  'docs/how-to/import.md': [],
  'docs/how-to/lost-keys.md': ['verso_live_'],
  'docs/how-to/agents.md': ['verso_live_', '"notes":"# Style'],
  'docs/how-to/people.md': ['/studio/welcome#verso_link_', 'Mira Holt  owner', 'has no role in the project any more'],
  'docs/how-to/move.md': [],
  'docs/how-to/redirects.md': ['/ p=17 /blog/packing-list 301', '"kind":"alias"'],
  'docs/how-to/scale.md': [],
  'docs/how-to/operate.md': ['verso_build_info', 'Everything is as it should be.'],
  'docs/how-to/preview.md': ['"content":"A tent."', '"rule":"draft"'],
  'docs/how-to/upgrade.md': ['The schema is up to date.'],
  'docs/how-to/webhooks.md': [/author\.created auth_/],
  'docs/how-to/write-safely.md': [/idempotency-replayed: true/i, '"results":'],
}

/** Blocks that need a registry, other people's machines or the reader's own folders. */
const notRun = [
  'CONTRIBUTING.md: npm ci',
  'README.md: npm ci && npm test',
  'bench/README.md: npm run bench',
  'docs/how-to/back-up.md: export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=eu-central-1',
  'docs/how-to/html.md: curl -H "Authorization: Bearer $VERSO_KEY" "http://127.0.0.1:4400/v1/posts/hello-world?include=html,toc,reading_time"',
  'docs/how-to/import-ghost.md: npx verso import my-site.ghost.2026-11-22.json --site-url https://blog.example.com --dry-run',
  'docs/how-to/import-ghost.md: npx verso import my-site.ghost.2026-11-22.json --site-url https://blog.example.com',
  'docs/how-to/import-wordpress.md: npx verso import wordpress.2026-11-22.xml --dry-run',
  'docs/how-to/import-wordpress.md: npx verso import wordpress.2026-11-22.xml --timezone Europe/Berlin',
  'docs/how-to/import-wordpress.md: NODE_OPTIONS="--max-semi-space-size=2 --max-old-space-size=100" npx verso import wordpress.2026-11-22.xml',
  'docs/how-to/operate.md: npm link',
  'docs/how-to/release.md: npm run release',
  'docs/how-to/release.md: sha256sum -c SHA256SUMS',
  'docs/how-to/release.md: tar -xzf verso-server-0.1.0.tgz',
  "docs/how-to/shard-with-citus.md: export VERSO_DATABASE='postgres://verso:secret@coordinator.example.com/verso'",
]

describe('shell blocks in the documentation', () => {
  it('every block says its language, and what is a shell block is run, or is one of the few that cannot be', () => {
    const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, block })))
    const odd = all.filter(
      ({ block }) => !/^(sh|sh service|sh norun|text|json|yaml|ini|sql|nginx|haproxy|html|js|ts|astro)$/.test(block.info),
    )
    expect(odd.map(({ page, block }) => `${page}:${block.line} ${block.info}`)).toEqual([])
    const norun = all
      .filter(({ block }) => block.info === 'sh norun')
      .map(({ page, block }) => `${page}: ${block.text.split(/ *[#\n]/)[0]}`)
    expect(norun).toEqual(notRun)
    const disguised = all.filter(({ block }) => block.info === 'text' && /^(\$ )?(curl|npx|node) /m.test(block.text))
    expect(disguised.map(({ page, block }) => `${page}:${block.line}`)).toEqual([])
    expect(shellPages.sort()).toEqual(Object.keys(expected).sort())
  })

  it.each(shellPages)('%s: every block works, in its order, over a service that was just started', async (page) => {
    const { folder, home } = clone()
    const database = await freshDatabase()
    const receiver = String(await freePort())
    const blocks = blocksOf(page)
    const service = await startService(blocks.find(({ info }) => info === 'sh service')?.text ?? 'npm start', { folder, home, database })
    const filledIn = (text: string) =>
      withDatabase(text, database)
        .replaceAll('127.0.0.1:4400', `127.0.0.1:${service.port}`)
        .replaceAll('verso_live_…', service.secret)
        .replaceAll('verso_pub_…', service.public)
        .replaceAll(/\b3000\b/g, receiver)
    const script = blocks.filter(isRun).map(({ text, line }) => `echo ':: ${page}:${line}' >&2\n${filledIn(text)}`)
    const shell = startShell(script.join('\n'), { folder, home, env: { PORT: service.port } })
    expect(await shell.exitCode, shell.output()).toBe(0)
    // A program in the background may have something to say a moment later.
    for (const said of expected[page] ?? []) await expect.poll(shell.output, { timeout: 20_000 }).toMatch(said)
  })
})

/** What `npm` and `npx` do in a clone, without their half second each, and without a registry. */
const npm = '#!/bin/sh\ncase "$1" in ci) ;; start) exec npx verso serve ;; *) exit 127 ;; esac\n'
const npx = `#!/bin/sh\n[ "$1" = verso ] && shift && exec node '${main}' "$@"\nexit 127\n`

/** A folder like a clone in which everything is built, a blog beside it, and a home where `curl` fails for answers that are problems. */
function clone(): { readonly folder: string; readonly home: string } {
  const parent = temporaryFolder()
  const [folder, home, blog] = ['verso', 'home', 'my-blog'].map((name) => join(parent, name)) as [string, string, string]
  for (const each of [folder, join(home, 'bin'), blog]) mkdirSync(each, { recursive: true })
  for (const name of ['node_modules', 'dist', 'examples', 'package.json']) symlinkSync(join(root, name), join(folder, name))
  writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  for (const [name, text] of Object.entries({ npm, npx })) writeFileSync(join(home, 'bin', name), text, { mode: 0o755 })
  writeFileSync(join(blog, '2020-01-02-first.md'), '---\ntitle: From the blog\ntags: [Old]\n---\nText.\n')
  writeFileSync(join(blog, 'second.md'), '---\ntitle: Second from the blog\ndate: 2021-03-04\n---\nText.\n')
  return { folder, home }
}

interface Place {
  readonly folder: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts `bash` as somebody has it who pastes line after line and stops at the first that fails. */
function startShell(script: string, { folder, home, env = {} }: Place) {
  const own = home === undefined ? {} : { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home }
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...own, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of them have ended by themselves.
    }
  }
  onTestFinished(end)
  const exitCode = new Promise<number | null>((ended) => {
    // After a failure nobody needs what runs in the background, and the last lines of output are waited for.
    child.on('exit', (code) => (code === 0 ? ended(0) : end()))
    child.on('close', ended)
  })
  return { output: () => output, exitCode }
}

/** Runs what a page says to run in a first terminal, and returns what a reader takes from what it prints. */
async function startService(
  script: string,
  { folder, home, database }: { readonly folder: string; readonly home: string; readonly database: string },
) {
  const shell = startShell(withDatabase(script, database), { folder, home, env: { PORT: '0' } })
  const found = () => /listening on http:\/\/127\.0\.0\.1:(\d+)[\s\S]*(verso_live_\w+)[\s\S]*(verso_pub_\w+)/.exec(shell.output())
  await expect.poll(found, { timeout: 30_000, interval: 20, message: 'the service does not start' }).not.toBeNull()
  const [, port = '', secret = '', publicKey = ''] = found() ?? []
  return { port, secret, public: publicKey }
}

function withDatabase(text: string, database: string): string {
  return text.replaceAll(/postgres:\/\/verso:secret@db\.example\.com\/verso(\?sslmode=verify-full)?/g, database)
}

/** The address of an empty database, of PostgreSQL where there is one. */
async function freshDatabase(): Promise<string> {
  const engine = engines.find(({ name }) => (name === 'PostgreSQL') === (inject('postgresUrl') !== 'none'))
  if (!engine) throw new Error('no engine')
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  return addressText(address)
}

/** A port that nobody had a moment ago. */
function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
