import { escapeXml } from '../site/xml-text.ts'

/** Text, or its bytes in UTF-8. */
export type Piece = string | Uint8Array

/** A piece of XML that is well-formed by itself. Only this file makes it. */
class Xml {
  constructor(readonly pieces: readonly Piece[]) {}

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('')
  }
}

type Attributes = Readonly<Record<string, string | undefined>>
/** Text is escaped; what is undefined is left out. */
type Child = Xml | string | undefined

/** An element. */
export function element(name: string, attributes: Attributes, children: readonly Child[] = []): Xml {
  const start = `${name}${attributesOf(attributes)}`
  const content = children.flatMap(piecesOf).filter(({ length }) => length > 0)
  return new Xml(content.length === 0 ? [`<${start}/>`] : [`<${start}>`, ...content, `</${name}>`])
}

/** Text that is escaped already. */
export function readyText(bytes: Uint8Array): Xml {
  return new Xml([bytes])
}

/** An element with text, or nothing if there is no text. */
export function textElement(name: string, text: string | null | undefined, attributes: Attributes = {}): Xml | undefined {
  return text === null || text === undefined ? undefined : element(name, attributes, [text])
}

/** The parts of a document whose root has more children than one wants to have in memory as text. */
export function rootParts(name: string, attributes: Attributes): { readonly start: string; readonly end: string } {
  return { start: `${declaration}<${name}${attributesOf(attributes)}>\n`, end: `</${name}>\n` }
}

export function toDocument(root: Xml): readonly Piece[] {
  return [declaration, ...root.pieces, '\n']
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined
        ? ''
        : ` ${name}="${escapeXml(value).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')}"`,
    )
    .join('')
}

function piecesOf(child: Child): readonly Piece[] {
  return child instanceof Xml ? child.pieces : [escapeXml(child ?? '')]
}
