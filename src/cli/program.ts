import { Command, CommanderError } from 'commander'
import { version } from '../version.ts'
import { authorCommand } from './author-command.ts'
import { categoryCommand } from './category-command.ts'
import { checkCommand } from './check-command.ts'
import { explain } from './explain.ts'
import { importCommand } from './import-command.ts'
import { keyCommand } from './key-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { moveCommand } from './move-command.ts'
import { openapiCommand } from './openapi-command.ts'
import { projectCommand } from './project-command.ts'
import { serveCommand } from './serve-command.ts'
import { syncCommand } from './sync-command.ts'
import { webhookCommand } from './webhook-command.ts'

/** Exit codes: what was asked for was done, it failed, or it was asked for wrongly. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

const epilog = `
Examples:
  $ verso serve                                   start the service
  $ verso key create --kind public --name site    an API key for a website
  $ verso import ./my-blog --dry-run              what an import would do

Every command has help of its own: verso key --help.
The database is sqlite:data/verso.db unless --database or VERSO_DATABASE says otherwise.`

/** Runs the command that the arguments name and returns the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = new Command('verso')
    .description('A self-hosted content service: posts, authors and media over HTTP.')
    .version(version, '-v, --version')
    .addHelpText('after', epilog)
    .showHelpAfterError('(verso --help shows what there is)')
  const commands = [serveCommand(), migrateCommand(), projectCommand(), keyCommand(), authorCommand(), categoryCommand()]
  for (const command of [...commands, importCommand(), checkCommand(), moveCommand(), syncCommand(), openapiCommand(), webhookCommand()])
    program.addCommand(command)
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

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const inner of command.commands) throwInsteadOfExit(inner)
}
