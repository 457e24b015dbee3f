import type { FieldMap, FieldValue } from '../../front-matter/field-value.ts'
import { visibilityNames } from '../post-fields/visibility-names.ts'

/** What a data file that is a program says of the posts of its folder, as far as one sees without running it. */
export interface ProgramFacts {
  /** Its fields about who may see a post whose values stand there. */
  readonly fields: FieldMap
  /** It computes such a field: nobody knows which posts it keeps back. */
  readonly isUnclear: boolean
}

const dataProgram = /\.11tydata\.[cm]?[jt]s$/
const computedProgram = /(?:^|\/)_data\/eleventyComputed\.[cm]?[jt]s$/
const extensions = ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts']
/** More than any such file has. */
const maxLength = 64 * 1024

/** Whether a file is one of Eleventy's data files that are programs. Nothing runs them. */
export function isDataProgram(path: string): boolean {
  return dataProgram.test(path) || computedProgram.test(path)
}

/** The programs that are run for every post of a folder, by the names that they have. */
export function programsFor(folder: string, folderName: string): readonly string[] {
  const within = folder === '' ? '' : `${folder}/`
  return extensions.flatMap((extension) => [`${within}${folderName}.11tydata.${extension}`, `${within}_data/eleventyComputed.${extension}`])
}

/** The files beside a post that say more of it alone, by the names that they have: Eleventy's program, Nikola's fields. */
export function programsBeside(postPath: string): readonly string[] {
  const stem = postPath.replace(/\.[^./]+$/, '')
  return [...extensions.map((extension) => `${stem}.11tydata.${extension}`), `${stem}.meta`]
}

const property =
  /(?<![\w$])["']?([A-Za-z_]\w*)["']?\s*(?::\s*(true|false|!0|!1|"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`)\s*(?=[,}\r\n;]|$)|[:(]|(?=,|\}))/g
/** Fields that keep a post back if a program makes them so. */
const deciding = new Set([
  'permalink',
  'draft',
  'drafts',
  'eleventyexcludefromcollections',
  'published',
  'status',
  'hidden',
  'private',
  'unlisted',
])
/** What a post says itself, and keeps it back here, too. Fields that have to be there for a post to be shown are none of these. */
const known = new Set([
  'draft',
  'hidden',
  'private',
  'unlisted',
  'date',
  'page',
  'permalink',
  'slug',
  'title',
  'eleventyexcludefromcollections',
])
const read = /\bdata\s*\??\.\s*(\w+)|\(\s*\{([^{}()]*)\}\s*\)\s*=>|\bdata\s*\[/g
/** A field that is not there counts like one that keeps the post back. */
const unlessFalse = /[!=]==?\s*(?:false|undefined|null)\b/

/** Reads what a program says without running it. */
export function factsOfProgram(text: string): ProgramFacts {
  if (text.length > maxLength) return { fields: new Map(), isUnclear: true }
  const code = withoutComments(text)
  const visibility = new Set(visibilityNames.map(plain))
  const fields = new Map<string, FieldValue>()
  let computes = false
  for (const [, name = '', literal] of code.matchAll(property)) {
    if (literal === undefined) computes ||= deciding.has(plain(name)) && (plain(name) !== 'permalink' || /\bfalse\b|!1/.test(code))
    else if (visibility.has(plain(name))) fields.set(name, textOf(literal))
  }
  return { fields, isUnclear: computes && !readsKnownFields(code) }
}

function textOf(literal: string): string {
  if (literal.startsWith('!')) return literal === '!0' ? 'true' : 'false'
  return /^["'`]/.test(literal) ? literal.slice(1, -1) : literal
}

/** Whether a program decides by fields alone that are read here, too. */
function readsKnownFields(code: string): boolean {
  const names = [...code.matchAll(read)].flatMap(
    ([, name, names]) => name ?? names?.split(',').map((each) => each.split(/[:=]/)[0]?.trim()) ?? '[',
  )
  return names.length > 0 && names.every((name) => known.has(plain(name ?? ''))) && !unlessFalse.test(code)
}

function withoutComments(text: string): string {
  const parts = text.split('/*').map((part, index) => (index === 0 ? part : part.slice(`${part}*/`.indexOf('*/') + 2)))
  return parts.join(' ').replace(/(?<![:"'`])\/\/.*/g, '')
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}
