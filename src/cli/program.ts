import { Command, CommanderError } from 'commander'
import { unknownVariables } from '../app/config.ts'
import { closestName } from '../values/letters/closest-name.ts'
import { version } from '../values/version.ts'
import { explain } from './errors.ts'
import { printable } from './terminal.ts'

/** Exit codes: success, failure, wrong usage. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const

const epilog = `
Examples:
  $ verso serve                                   start the service
  $ verso key create --kind public --name site    create an API key for a website
  $ verso import ./my-blog --dry-run              see what an import would do

Every command has its own help: verso key --help
The default database is sqlite:data/verso.db. Set another with --database or VERSO_DATABASE.`

/** In the order of the help. A command is loaded when it is named, because each one loads a large part of the program. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve-command.ts')).serveCommand(),
  migrate: async () => (await import('./commands/maintenance/migrate-command.ts')).migrateCommand(),
  project: async () => (await import('./commands/project-command.ts')).projectCommand(),
  key: async () => (await import('./commands/key-command.ts')).keyCommand(),
  person: async () => (await import('./commands/person-command.ts')).personCommand(),
  author: async () => (await import('./commands/author-command.ts')).authorCommand(),
  category: async () => (await import('./commands/category-command.ts')).categoryCommand(),
  import: async () => (await import('./commands/import-command.ts')).importCommand(),
  check: async () => (await import('./commands/check-command.ts')).checkCommand(),
  move: async () => (await import('./commands/maintenance/move-command.ts')).moveCommand(),
  export: async () => (await import('./commands/maintenance/export-command.ts')).exportCommand(),
  backup: async () => (await import('./commands/maintenance/backup-command.ts')).backupCommand(),
  restore: async () => (await import('./commands/maintenance/restore-command.ts')).restoreCommand(),
  shard: async () => (await import('./commands/maintenance/shard-command.ts')).shardCommand(),
  epoch: async () => (await import('./commands/maintenance/epoch-command.ts')).epochCommand(),
  sync: async () => (await import('./commands/sync-command.ts')).syncCommand(),
  mcp: async () => (await import('./commands/mcp-command.ts')).mcpCommand(),
  redirects: async () => (await import('./commands/redirects-command.ts')).redirectsCommand(),
  openapi: async () => (await import('./commands/openapi-command.ts')).openapiCommand(),
  webhook: async () => (await import('./commands/webhook-command.ts')).webhookCommand(),
}

/** Runs the command that the arguments name and returns the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const args = withHelpAsFlag(argv.slice(2))
  const asJson = asksForJson(args)
  const program = await programWith(args[0])
  throwInsteadOfExit(program, asJson)
  try {
    refuseUnknownHelp(program, args)
    await program.parseAsync([...args], { from: 'user' })
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    const { text, exitCode } = explain(error, asJson)
    // Commander has written its own, unless it was told to be silent.
    if (error instanceof CommanderError && !asJson) return exitCode
    process.stderr.write(`${printable(text)}\n`)
    return exitCode
  }
}

/** `verso` with the command of this name, or with all commands where there is no such name. */
export async function programWith(name: string | undefined): Promise<Command> {
  const program = new Command('verso')
    .description('A self-hosted content service: posts, authors and media over HTTP.')
    .version(version, '-v, --version')
    .addHelpText('after', epilog)
    .showHelpAfterError('(verso --help lists the commands)')
    .hook('preAction', (_, command) => refuseEmptyArguments(command))
    .hook('preAction', (_, command) => warnOf(unknownVariables(), command))
  for (const command of await commandsFor(name)) program.addCommand(command)
  return program
}

/** The command of this name; all commands if there is none, for the help and for suggestions. */
async function commandsFor(name: string | undefined): Promise<readonly Command[]> {
  const named = Object.entries(commands).filter(([each]) => each === name)
  return Promise.all((named.length > 0 ? named : Object.entries(commands)).map(([, load]) => load()))
}

/** An empty path would be the folder of the shell: `verso import "$BLOG"` where nothing has set `BLOG`. No project is called nothing. */
function refuseEmptyArguments(command: Command): void {
  const empty = command.registeredArguments.find((_, i) => command.args[i] === '')
  if (empty) command.error(`error: argument '${empty.name()}' must not be empty`)
  if (command.opts().project === '') command.error("error: option '--project' must not be empty")
}

/** The service writes these to its log instead. */
function warnOf(warnings: readonly string[], command: Command): void {
  if (command.name() === 'serve') return
  const asJson = command.opts().json === true
  for (const warning of warnings) process.stderr.write(asJson ? `${JSON.stringify({ warning })}\n` : `warning: ${warning}\n`)
}

/** `verso help key list` asks for what `verso key list --help` does; commander shows the help of `verso key`. */
function withHelpAsFlag(args: readonly string[]): readonly string[] {
  const [first, ...more] = args
  return first === 'help' && more.length > 0 ? [...more, '--help'] : args
}

/** `verso nonsense --help` is wrong usage; commander shows the help of `verso`. */
function refuseUnknownHelp(program: Command, args: readonly string[]): void {
  if (!args.some((arg) => arg === 'help' || arg === '--help' || arg === '-h')) return
  let command = program
  for (const word of args.filter((arg) => arg !== 'help')) {
    if (word.startsWith('-') || command.commands.length === 0) return
    const next: Command | undefined = command.commands.find((each) => each.name() === word)
    if (!next) refuseCommand(command, word)
    command = next
  }
}

function refuseCommand(command: Command, word: string): never {
  const names = command.commands.map((each) => each.name())
  const near = closestName(word, names)
  command.error(`error: unknown command '${word}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`)
}

function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).includes('--json')
}

function throwInsteadOfExit(command: Command, isSilent: boolean): void {
  command.exitOverride()
  if (isSilent) command.configureOutput({ writeErr: () => undefined })
  if (command.parent && command.commands.length > 0) command.showHelpAfterError(`(verso ${command.name()} --help lists the commands)`)
  for (const inner of command.commands) throwInsteadOfExit(inner, isSilent)
}
