import { Command, Option } from 'commander'

/** Options that most commands share. */
export interface CommonOptions {
  readonly database?: string
  readonly project: string
  readonly json?: true
}

/** A command that works on a database, with the options for it. */
export function databaseCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option('--database <address>', 'sqlite:<path> or postgres://… (or VERSO_DATABASE; default: sqlite:data/verso.db)'))
    .addOption(new Option('--json', 'print JSON'))
}

/** The same for a command that works in one project. */
export function projectScoped(name: string, description: string): Command {
  return databaseCommand(name, description).addOption(new Option('--project <slug>', 'the slug of the project').default('default'))
}

/** Options that say where a command works and how it prints. */
const whereOptions = new Set(['database', 'json', 'project'])

/** A command that changes what some of its options name. If none of them is given, the usage is wrong. */
export function changing(command: Command): Command {
  return command.hook('preAction', (_, typed) => {
    const changes = typed.options.filter((option) => !whereOptions.has(option.attributeName()))
    if (changes.some((option) => typed.getOptionValueSource(option.attributeName()) === 'cli')) return
    typed.error(`error: nothing to change: name one or more of ${changes.map(({ long }) => long).join(', ')}`)
  })
}

/** Examples for the end of a help text. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** A text whose control characters are escaped: with those of a name or a file, others could write to the terminal of an operator. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Prints a result to standard output: JSON with `--json`, else the text. */
export function print(options: { readonly json?: true }, value: unknown, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : text === '' ? '' : `${printable(text)}\n`)
}

/** Prints a message that is not the result to standard error; nothing with `--json`. */
export function say(options: { readonly json?: true }, text: string): void {
  if (!options.json) process.stderr.write(`${printable(text)}\n`)
}

/** Says what long work does, on a terminal; nothing in a pipe or with `--json`. */
export function onTerminal(options: { readonly json?: true }): (text: string) => void {
  return (text) => (process.stderr.isTTY ? say(options, text) : undefined)
}

/** Rows under headings in aligned columns; `none` if there are no rows. */
export function table(headings: readonly string[], cells: readonly (readonly string[])[], none: string): string {
  if (cells.length === 0) return none
  const rows = cells.map((row) => row.map((cell) => printable(cell).replace(/[\t\n]/g, escaped)))
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

/** The value of an option that `none` clears. */
export function orNone(text: string): string | null {
  return text === 'none' ? null : text
}

/** A count with its noun: `1 file`, `2,000 files`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
