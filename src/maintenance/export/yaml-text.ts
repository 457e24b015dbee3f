/** A value as YAML that every version and every parser reads alike. */
type YamlText = string

/** Begins with a letter and has nothing that means something in YAML. */
const plainText = /^\p{L}[\p{L}\p{N} ,.()'’“”!?/+_-]*$/u
/** Words that YAML 1.1 or 1.2 takes for something else than text. */
const otherWord = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i
/** YAML forbids them, or takes them for line breaks; JSON leaves them as they are. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A text; in double quotes unless it is plain for everybody. */
export function text(value: string): YamlText {
  if (plainText.test(value) && !otherWord.test(value) && !value.endsWith(' ')) return value
  return JSON.stringify(value).replace(unprintable, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A text, unless there is none. */
export function optionalText(value: string | null): YamlText | null {
  return value === null ? null : text(value)
}

/** Texts, one a line; null if there are none. */
export function texts(values: readonly string[]): YamlText | null {
  return values.length === 0 ? null : values.map((value) => `\n  - ${text(value)}`).join('')
}

type Fields = Readonly<Record<string, YamlText | number | boolean | null | undefined>>

/** Fields in their order, without those that are null; null if none is left. */
export function fieldsBelow(fields: Fields): YamlText | null {
  const lines = linesOf(fields)
  return lines.length === 0 ? null : lines.map((line) => `\n  ${line}`).join('')
}

/** A whole document of fields. */
export function document(fields: Fields): string {
  return linesOf(fields)
    .map((line) => `${line}\n`)
    .join('')
}

/** A whole document with a list of records; `[]` if there is none. */
export function listDocument(records: readonly Fields[]): string {
  if (records.length === 0) return '[]\n'
  return records.map((fields) => `- ${linesOf(fields).join('\n  ')}\n`).join('')
}

function linesOf(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    return `${name}:${typeof value === 'string' && value.startsWith('\n') ? '' : ' '}${value}`
  })
}
