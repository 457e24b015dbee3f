import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from './field-value.ts'

/** The names that blogs use for one field, best first. `a.b` is the field `b` of the map `a`. Case, `_` and `-` do not matter. */
export type FieldNames = readonly string[]

interface Field {
  readonly name: string
  readonly value: FieldValue
}

/** The first of these fields that is not empty. */
export function findField(fields: FieldMap, names: FieldNames): Field | undefined {
  for (const field of findFields(fields, names)) return field
  return undefined
}

/** Those of these fields that are not empty, in the order of the names. Of two spellings of a name the first counts. */
export function* findFields(fields: FieldMap, names: FieldNames): Generator<Field, void, void> {
  const filled = [...fields].filter(([, value]) => !isBlank(value)).reverse()
  const index = new Map(filled.map(([name, value]) => [plain(name), { name, value }]))
  for (const name of names) {
    const [outer = '', inner] = name.split('.')
    const found = index.get(plain(outer))
    if (found && inner === undefined) yield found
    const within = found && inner !== undefined && isFieldMap(found.value) ? findField(found.value, [inner]) : undefined
    if (found && within) yield { name: `${found.name}.${within.name}`, value: within.value }
  }
}

/** The first of these fields that is text, trimmed. */
export function textOf(fields: FieldMap, names: FieldNames): string | null {
  for (const { value } of findFields(fields, names)) if (typeof value === 'string') return value.trim()
  return null
}

/** The texts of a nested list. A single text is a list of one. A map counts as its label. */
export function textsOf(value: FieldValue | undefined): readonly string[] {
  if (isFieldList(value)) return value.flatMap(textsOf)
  const text = isFieldMap(value) ? textOf(value, ['label', 'name', 'title']) : value?.trim()
  return text ? [text] : []
}

/** A boolean as front matter spells it: `true`, `yes`, `on` and their opposites; undefined for any other value. */
export function booleanOf(value: FieldValue | undefined): boolean | undefined {
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  if (['true', 'yes', 'y', 'on', '1'].includes(word)) return true
  return ['false', 'no', 'n', 'off', '0'].includes(word) ? false : undefined
}

function isBlank(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (isFieldList(value) && value.length === 0)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}
