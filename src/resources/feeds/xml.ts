/** What XML 1.0 cannot hold, not even escaped (https://www.w3.org/TR/xml/#charsets). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A piece of XML that is well-formed by itself. Only this file makes it. */
export class Xml {
  constructor(readonly text: string) {}
}

type Attributes = Readonly<Record<string, string | undefined>>
/** Text is escaped; what is undefined is left out. */
export type Child = Xml | string | undefined

/** An element. */
export function element(name: string, attributes: Attributes, children: readonly Child[] = []): Xml {
  const start = `${name}${attributesOf(attributes)}`
  const content = children.map(textOf).join('')
  return new Xml(content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`)
}

/** An element with text, or nothing if there is no text. */
export function textElement(name: string, text: string | null | undefined, attributes: Attributes = {}): Xml | undefined {
  return text === null || text === undefined ? undefined : element(name, attributes, [text])
}

/** The parts of a document whose root has more children than one wants to have in memory as text. */
export function rootParts(name: string, attributes: Attributes): { readonly start: string; readonly end: string } {
  return { start: `${declaration}<${name}${attributesOf(attributes)}>\n`, end: `</${name}>\n` }
}

export function toDocument(root: Xml): string {
  return `${declaration}${root.text}\n`
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined
        ? ''
        : ` ${name}="${escapeText(value).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')}"`,
    )
    .join('')
}

function textOf(child: Child): string {
  return child instanceof Xml ? child.text : escapeText(child ?? '')
}

/** A `>` is escaped for the sake of `]]>`, and a carriage return so that it is not read as a line break. */
function escapeText(text: string): string {
  return text.replace(forbidden, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}
