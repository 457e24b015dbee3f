import { Command, Option } from 'commander'

/** Options that most commands share. */
export interface CommonOptions {
  readonly database?: string
  readonly project: string
  readonly json?: true
}

/** A command with the options that every command has which works on a database. */
export function databaseCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option('--database <address>', 'sqlite:<path> or postgres://… (VERSO_DATABASE)'))
    .addOption(new Option('--json', 'print JSON'))
}

/** The same for one that works in a project. */
export function projectScoped(name: string, description: string): Command {
  return databaseCommand(name, description).addOption(new Option('--project <slug>', 'the project').default('default'))
}

/** Examples at the end of a help text. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** A result on standard output: as JSON where it was asked for, else as the text. */
export function print(options: { readonly json?: true }, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : text === '' ? '' : `${text}\n`)
}

/** A word to the person at the terminal that is no result: standard error, and nothing where JSON is read by a program. */
export function say(options: { readonly json?: true }, text: string): void {
  if (!options.json) process.stderr.write(`${text}\n`)
}

/** Rows under headings, columns aligned; a sentence where there are none. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

/** The value of an option that can be cleared. */
export function orNone(text: string): string | null {
  return text === 'none' ? null : text
}
