import { Command, CommanderError } from 'commander'
import { unknownVariables } from '../app/config.ts'
import { version } from '../values/version.ts'
import { explain } from './errors.ts'

/** Exit codes: what was asked for was done, it failed, or it was asked for wrongly. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

const epilog = `
Examples:
  $ verso serve                                   start the service
  $ verso key create --kind public --name site    an API key for a website
  $ verso import ./my-blog --dry-run              what an import would do

Every command has help of its own: verso key --help.
The database is sqlite:data/verso.db unless --database or VERSO_DATABASE says otherwise.`

/** Every command is loaded when it is named, for each brings half of the program with it; in the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve-command.ts')).serveCommand(),
  migrate: async () => (await import('./commands/migrate-command.ts')).migrateCommand(),
  project: async () => (await import('./commands/project-command.ts')).projectCommand(),
  key: async () => (await import('./commands/key-command.ts')).keyCommand(),
  author: async () => (await import('./commands/author-command.ts')).authorCommand(),
  category: async () => (await import('./commands/category-command.ts')).categoryCommand(),
  import: async () => (await import('./commands/import-command.ts')).importCommand(),
  check: async () => (await import('./commands/check-command.ts')).checkCommand(),
  move: async () => (await import('./commands/move-command.ts')).moveCommand(),
  sync: async () => (await import('./commands/sync-command.ts')).syncCommand(),
  openapi: async () => (await import('./commands/openapi-command.ts')).openapiCommand(),
  webhook: async () => (await import('./commands/webhook-command.ts')).webhookCommand(),
}

/** Runs the command that the arguments name and returns the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = await programWith(argv[2])
  throwInsteadOfExit(program)
  try {
    await program.parseAsync([...argv])
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    const { text, exitCode } = explain(error)
    process.stderr.write(`${text}\n`)
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
    .hook('preAction', (_, command) => warnOf(unknownVariables(), command))
  for (const command of await commandsFor(name)) program.addCommand(command)
  return program
}

/** The command that is named first; all of them where it is another word, for the help and the guess at what was meant. */
async function commandsFor(name: string | undefined): Promise<readonly Command[]> {
  const named = Object.entries(commands).filter(([each]) => each === name)
  return Promise.all((named.length > 0 ? named : Object.entries(commands)).map(([, load]) => load()))
}

/** The service has a log for this. */
function warnOf(warnings: readonly string[], command: Command): void {
  if (command.name() === 'serve') return
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const inner of command.commands) throwInsteadOfExit(inner)
}
