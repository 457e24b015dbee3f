import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { scopes, withIncluded } from '../src/actions/caller.ts'
import { openMetrics } from '../src/app/metrics/metrics.ts'
import { programWith } from '../src/cli/program.ts'
import { problemMeanings } from '../src/http/openapi/problem-meanings.ts'
import { type ProblemCode, problems } from '../src/values/problems.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const codes = Object.keys(problems) as ProblemCode[]

const filesIn = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

/** Every page of the documentation, README.md and its neighbours included. */
const pages = [...readdirSync(root), ...filesIn('docs')].filter((path) => path.endsWith('.md'))
const headingsOf = (page: string) => [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''))

/** The anchor that a heading gets on the usual sites that show Markdown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

function problemsPage(): string {
  const sections = codes.map((code) => {
    const { status, title } = problems[code]
    const { when, remedy } = problemMeanings[code]
    return `## \`${code}\`\n\n${status}. ${title}.\n\n${when}\n\n**What to do:** ${remedy}\n`
  })
  const about = [
    'Every error is answered as `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `code`, `detail`, `instance`, `requestId` and `errors`. `errors` names each fault, with a `pointer` into the body or the `parameter` of the query. `code` is one of the codes on this page. Programs should read `code`, not the words.',
    'This page is made from `src/http/openapi/problem-meanings.ts`, like the OpenAPI document and `/docs`: `npx vitest run test/docs.test.ts -u` writes it again.',
  ]
  return ['# Problems', ...about, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')
}

it('docs/reference/problems.md has a heading for every code and for no other', () => {
  const headings = [...read('docs/reference/problems.md').matchAll(/^## `(\w+)`$/gm)].map((match) => match[1])
  expect(headings).toEqual(codes)
})

it('docs/reference/problems.md says of each what the code says', async () => {
  await expect(problemsPage()).toMatchFileSnapshot('../docs/reference/problems.md')
})

it('docs/reference/api.md has a row for every scope and for no other, with those that it includes', () => {
  const rows = new Map(
    [...read('docs/reference/api.md').matchAll(/^\| `(\w+:\w+|admin)` \| .+ \| (.*)\|$/gm)].map(([, scope = '', included = '']) => [
      scope,
      [...included.matchAll(/`([\w:]+)`/g)].map(([, name = '']) => name),
    ]),
  )
  const closure = (scope: string): readonly string[] => [scope, ...(rows.get(scope) ?? []).flatMap(closure)]
  expect([...rows.keys()]).toEqual(scopes)
  for (const scope of scopes) expect(new Set(closure(scope)), scope).toEqual(new Set(withIncluded([scope])))
})

it('docs/reference/configuration.md has a row for every variable that is read and for no other', () => {
  const named = [...read('docs/reference/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])
  const variables = new Set([...read('src/app/config.ts').matchAll(/'((?:VERSO_)?[A-Z]+(?:_[A-Z]+)*)'/g)].map((match) => match[1]))
  expect([...named, 'DATABASE_URL'].sort()).toEqual([...variables].sort())
})

it('docs/reference/metrics.md has a row for every metric, of its kind, and for no other', async () => {
  const responseCache = () => ({ hits: 0, misses: 0, bytes: 0, answers: 0 })
  const webhookQueue = async () => ({ deliveries: 0, oldestMs: 0 })
  const metrics = openMetrics({ version: '1.0.0', responseCache, duePostLagMs: async () => 0, webhookQueue })
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  metrics.close()
  const rows = [...read('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map((match) => match.slice(1).join(' '))
  expect(types.length).toBeGreaterThan(15)
  expect(rows.sort()).toEqual(types.map(([, name, kind]) => (kind === 'counter' ? `${name}_total counter` : `${name} ${kind}`)).sort())
})

it('every link between pages leads to a file that is there', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path, anchor]) => ({ page, path, anchor })),
  )
  expect(links.length).toBeGreaterThan(5)
  const broken = links.filter(({ page, path, anchor }) => {
    const target = path ? join(dirname(page), path) : page
    return !existsSync(join(root, target)) || (anchor !== undefined && !headingsOf(target).includes(anchor))
  })
  expect(broken).toEqual([])
})

it('SECURITY.md has a line for each of the ten risks of APIs, each with a test', () => {
  const lines = [...read('SECURITY.md').matchAll(/^\| API(\d+) [^|]+\| [^|]{40,} \| (.+) \|$/gm)]
  expect(lines.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const [, , tests = ''] of lines) expect(tests).toMatch(/\]\((?:test|trials)\/[\w/.-]+\.ts\)/)
})

it('every page that a comment in src/ cites is there, and so is its heading', () => {
  const sources = filesIn('src').filter((path) => path.endsWith('.ts'))
  const cited = sources.flatMap((path) =>
    [...read(path).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', anchor]) => ({ path, page, anchor })),
  )
  const broken = cited.filter(
    ({ page, anchor }) => !existsSync(join(root, page)) || (anchor !== undefined && !headingsOf(page).includes(anchor)),
  )
  expect(sources.length).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

it('every decision has its number, its heading and its four parts', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/decisions/'))
  expect(decisions.length).toBeGreaterThan(3)
  for (const decision of decisions) {
    const number = Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(decision)?.[1])
    expect(read(decision), decision).toMatch(
      new RegExp(`^# ${number}\\. .+\\n\\nStatus: .+\\n\\n## Context\\n[^]+\\n## Decision\\n[^]+\\n## Consequences\\n`),
    )
  }
})

it('no comment in src/ cites a contract, which a reader does not have', () => {
  const sources = filesIn('src').filter((path) => path.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter((path) => /\bcontract\b/i.test(read(path)))).toEqual([])
})

it('a decision that is superseded says by which, and is said to be by that one', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/decisions/'))
  const links = (verb: RegExp) =>
    decisions.flatMap((page) => {
      const [, status = ''] = /^Status: (.+)$/m.exec(read(page)) ?? []
      const said = status.split(/(?<=\.) (?=[A-Z])/).filter((sentence) => verb.test(sentence))
      return said.flatMap((sentence) =>
        [...sentence.matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)\)/g)].map(([, other = '']) => [page, `docs/decisions/${other}`] as const),
      )
    })
  const supersedes = links(/\bsupersedes\b/i).map(([page, other]) => `${page} → ${other}`)
  const superseded = links(/\bsuperseded\b/i).map(([page, other]) => `${other} → ${page}`)
  expect(supersedes.length).toBeGreaterThan(1)
  expect(superseded.sort()).toEqual(supersedes.sort())
})

const commandLine = `# The command line

Every command and its help. In a clone of Verso, run a command as \`npx verso …\`, from the folder of the clone; [this page](../how-to/operate.md#the-command-on-your-path) says how to run it from elsewhere.

- \`--json\` prints JSON for programs; errors and warnings are then lines of JSON on standard error: \`{"error": {"code": …, "detail": …}}\`, \`{"warning": …}\`. Without it, results go to standard output and remarks to standard error.
- \`--project\` names the project. It is \`default\` if you leave it out.
- \`--database\` or \`VERSO_DATABASE\` names the database. It is \`sqlite:data/verso.db\` if you set neither.
- Every command may run while the service runs, except \`serve\`, \`restore\`, \`shard --yes\` and \`epoch renew\`.
- Exit code 0: done. 1: failed. 2: wrong usage: an option or argument that is never right, such as a slug with capitals, or a project or a database on SQLite that is not there. One on PostgreSQL that is not there counts as unavailable: 1.

This page is made from the commands themselves: \`npx vitest run test/docs.test.ts -u\` writes it again.
`

it('docs/reference/cli.md has every command with its help', async () => {
  const sections = helpOf(await programWith(undefined), '').map(({ name, help }) => `## \`${name}\`\n\n\`\`\`text\n${help}\n\`\`\`\n`)
  expect(sections.length).toBeGreaterThan(30)
  await expect([commandLine, ...sections].join('\n')).toMatchFileSnapshot('../docs/reference/cli.md')
})

/** The help of a command and of all commands under it, as a terminal of 100 columns shows it. */
function helpOf(command: Command, parent: string): readonly { readonly name: string; readonly help: string }[] {
  const name = `${parent} ${command.name()}`.trim()
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100, getOutHasColors: () => false })
  command.outputHelp()
  return [{ name, help: help.trim() }, ...command.commands.flatMap((inner) => helpOf(inner, name))]
}
