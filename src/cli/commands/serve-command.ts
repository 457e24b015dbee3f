import { Command } from 'commander'
import { operator } from '../../actions/caller.ts'
import { type Config, type DatabaseAddress, defaultUrl, readConfig, unknownVariables } from '../../app/config.ts'
import type { Installation } from '../../app/installation.ts'
import { type App, startApp } from '../../app/start-app.ts'
import { realContext } from '../../context.ts'
import { linkHours } from '../../resources/people/person.ts'
import { admitPerson } from '../../resources/people/person-actions.ts'
import { type FirstKeys, foundInstallation } from '../../resources/projects/project-actions.ts'
import { findInstallation, listProjects } from '../../resources/projects/project-store.ts'
import { newId } from '../../values/ids.ts'
import { openLog } from '../log.ts'
import { examples } from '../terminal.ts'
import { noBackup, upgradeSteps } from '../upgrade-steps.ts'

interface ServeOptions {
  readonly database?: string
  readonly host?: string
  readonly port?: string
  readonly backup?: false
}

/** `verso serve`. */
export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Start the service. The first start creates the database, a project "default" and two API keys, and prints a link to the studio.',
    )
    .option('--database <address>', 'sqlite:<path> or postgres://… (or VERSO_DATABASE; default: sqlite:data/verso.db)')
    .option('--host <address>', 'the address to listen on (or HOST; default: 127.0.0.1)')
    .option('--port <number>', 'the port to listen on; 0 for any free one (or PORT; default: 4400)')
    .option(...noBackup)
    .addHelpText(
      'after',
      examples('verso serve', 'verso serve --host 0.0.0.0 --port 80', 'VERSO_DATABASE=sqlite:/var/lib/verso/verso.db verso serve'),
    )
    .action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(options)
  const runner = config.startedByRunner ? process.ppid : undefined
  const log = openLog(config)
  goOnWithoutReader(log)
  for (const warning of unknownVariables()) log.warn(warning)
  const steps = upgradeSteps(config, { withoutBackup: options.backup === false, tell: (text) => log.info(text) })
  const app = await startApp({ config, context: realContext, log, steps })
  // Before anything is printed: whoever reads that the service listens may send a signal at once.
  const stopRequested = waitForSignal(app, runner)
  try {
    process.stdout.write(await welcome(app, config))
    const closed = await whyClosed(app)
    if (closed !== undefined) log.warn(closed)
  } catch (error) {
    await app.stop()
    throw error
  }
  const isFailed = await Promise.race([stopRequested.then(() => false), app.failed.then(() => true)])
  log.info(isFailed ? 'stopping, so that the service can be started again' : 'stopping: finishing requests under way')
  await app.stop()
  log.info('stopped')
  if (isFailed) process.exitCode = 1
}

/** Other commands end when nobody reads what they print (`main.ts`). The service says something at its start alone. */
function goOnWithoutReader(log: ReturnType<typeof openLog>): void {
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', ({ message }) => log.warn(`standard output cannot be written: ${message}`))
}

/** What a start prints. The first one makes what is needed to begin. */
async function welcome({ installation, url: listening }: App, { studio, publicUrl, database }: Config): Promise<string> {
  const keys = await makeFirstProject(installation)
  const link = keys && studio ? await inviteOwner(installation, publicUrl?.href ?? listening) : undefined
  const url = reachable(listening)
  return `Verso is listening on ${listening}\n${keys ? firstStartText({ url, keys, link, database }) : `Documentation: ${url}/docs\n`}`
}

/** An address for programs on this machine: one cannot connect to "every address". */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** A warning for an installation that takes no writes. */
async function whyClosed({ installation }: App): Promise<string | undefined> {
  const found = await findInstallation(installation.db)
  if (found === undefined || found.state === 'open') return undefined
  const what = found.state === 'moved' ? 'has moved' : 'is moving'
  return `this installation ${what} to ${found.moved_to} and is read-only here (verso move --cancel allows writes again)`
}

/** How often to check that the script runner still runs. */
const runnerCheckMs = 500

/** Resolves at the first signal, or when the script runner has ended. A second signal exits at once. */
async function waitForSignal(app: App, runner: number | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    if (runner !== undefined) app.installation.context.repeat(runnerCheckMs, endedWith(runner, resolve))
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

/** Calls back when the process that started this one has ended. */
function endedWith(parent: number, ended: () => void): () => Promise<void> {
  return async () => {
    if (process.ppid !== parent) ended()
  }
}

/** Creates the project `default` with a secret and a public key, if there is no project yet. The keys are returned only now. */
export async function makeFirstProject({ db, perform, context, engine }: Installation): Promise<FirstKeys | undefined> {
  if ((await listProjects(db)).length > 0) return undefined
  const now = await engine.now()
  return perform(foundInstallation, operator(newId('prj', now, context.random), 'cli', now), null)
}

/** The name that the first person signs in with, until they take another. */
const firstName = 'owner'

/** Invites the first person and returns their one-time link. */
async function inviteOwner({ db, perform, engine }: Installation, publicUrl: string): Promise<string | undefined> {
  const [project] = await listProjects(db)
  if (!project) return undefined
  const caller = operator(project.id, 'cli', await engine.now())
  return (await perform(admitPerson, caller, { name: firstName, role: 'owner', publicUrl })).link ?? undefined
}

interface FirstStart {
  readonly url: string
  readonly keys: FirstKeys
  readonly link: string | undefined
  readonly database: DatabaseAddress
}

/** What a newcomer sees: a link to the studio, two keys, two commands to paste, and what to do next. */
function firstStartText({ url, keys, link, database }: FirstStart): string {
  return `
This is the first start. It created the project "default" and two API keys.
The keys are shown only now: keep them.

  secret key, for your server and your build   ${keys.secret}
  public key, may stand in a web page          ${keys.public}
${
  link === undefined
    ? ''
    : `
To write in the browser, open this link within ${linkHours} hours. It works once; you sign in as "${firstName}":

  ${link}
`
}
Write a post and read it back:

  curl -H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json' -d '{"title": "Hello, world", "content": "# Hello", "status": "published"}' ${url}/v1/posts

  curl -H 'Authorization: Bearer ${keys.public}' ${url}/v1/posts

${nextText({ url, link, database })}
${url === defaultUrl ? '' : `\nFor verso sync and the examples, in another terminal:\n\n  export VERSO_URL=${url}\n`}
`
}

/** Commands for a new shell, which has nothing of the flags and variables of this one. An address of PostgreSQL may hold a password. */
function nextText({ url, link, database }: Omit<FirstStart, 'keys'>): string {
  const flag = database.kind === 'sqlite' && database.path !== defaultPath() ? ` --database ${shellWord(`sqlite:${database.path}`)}` : ''
  const next = [
    ...(link === undefined ? [] : [[inviteCommand(link) + flag, 'let somebody write in the studio'] as const]),
    [`npx verso author create "Ada Lovelace"${flag}`, 'create an author'],
    [`npx verso import <folder> --dry-run${flag}`, 'see what an import of your Markdown files would do'],
    ['npx verso --help', 'all commands'],
    [`${url}/docs`, 'every endpoint'],
  ] as const
  const width = Math.max(...next.map(([what]) => what.length))
  const title = database.kind === 'sqlite' ? 'Next:' : 'Next, with VERSO_DATABASE set to the database of this service:'
  return [title, '', ...next.map(([what, why]) => `  ${what.padEnd(width)}   ${why}`)].join('\n')
}

/** Its link leads to where the first one leads. */
function inviteCommand(link: string): string {
  const address = link.replace(/\/studio\/welcome#.*/, '')
  const told = address === defaultUrl.replace('127.0.0.1', 'localhost') ? '' : `VERSO_PUBLIC_URL=${shellWord(address)} `
  return `${told}npx verso person invite "Ada Lovelace" --role editor`
}

/** Of the database that a command uses where nothing is set. */
function defaultPath(): string | undefined {
  const { database } = readConfig({}, {})
  return database.kind === 'sqlite' ? database.path : undefined
}

function shellWord(text: string): string {
  return /^[\w:/.@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
