import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = resolve(import.meta.dirname, '../..')

/** A regular expression as the source has it, or as the program built it. */
export interface Expression {
  /** Its file, from the root of the repository. */
  readonly file: string
  readonly source: string
  readonly flags: string
}

export interface Expressions {
  readonly files: number
  readonly literals: readonly Expression[]
  /** Where an expression is built from text: `new RegExp(…)`. */
  readonly builders: readonly { readonly file: string; readonly text: string }[]
}

interface Node {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

/** Every regular expression in these folders, found by a parser. */
export function findExpressions(folders: readonly string[]): Expressions {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.[jt]sx?$/.test(name) && !/\.d\.ts$|(?:^|\/)(?:node_modules|dist)\//.test(name)),
  )
  const found = files.map((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')))
  return { files: files.length, literals: found.flatMap(({ literals }) => literals), builders: found.flatMap(({ builders }) => builders) }
}

export function expressionsIn(file: string, text: string): Omit<Expressions, 'files'> {
  const literals: Expression[] = []
  const builders: { readonly file: string; readonly text: string }[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, start, end } = node as Node
    if (regex) literals.push({ file, source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      builders.push({ file, text: text.slice(start, end) })
    for (const part of Object.values(node)) walk(part)
  }
  walk(parseAst(text, { lang: /\.([jt]sx?)$/.exec(file)?.[1] as 'ts' | 'tsx' | 'js' | 'jsx' }, file))
  return { literals, builders }
}
