import fc from 'fast-check'
import { expect, it } from 'vitest'
import { element, readyText, textElement, toDocument } from '../../../src/resources/feeds/xml.ts'
import { escapeXml, xmlBytes } from '../../../src/resources/site/xml-text.ts'
import { parseXml } from './parse-xml.ts'

const seed = Number(process.env.VERSO_TEST_SEED) || Date.now() % 1_000_000_000

/** What XML 1.0 can hold, by its table of characters. */
const storable = (text: string) =>
  [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0
    const isControl = code < 0x20 && ![0x9, 0xa, 0xd].includes(code)
    return !isControl && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
  })

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(']]>', '<!--', '&amp;', '&', '<', '"', "'", '\r\n', '\t', '\0', '\ud800', '\uffff', '\u0085', '</a>'),
    ),
  )
  .map((parts) => parts.join(''))

it(`any text comes back from an XML parser as it was, without what XML cannot hold (seed ${seed})`, () => {
  fc.assert(
    fc.property(text, text, (content, value) => {
      const document = toDocument(element('a', { b: value }, [textElement('c', content), undefined, readyText(xmlBytes(content))]))
      const { attributes, children } = parseXml(document.map((piece) => Buffer.from(piece as string).toString()).join(''))
      expect(Buffer.from(xmlBytes(content)).toString()).toBe(escapeXml(content))
      const kept = storable(content).join('')
      expect(attributes.b).toBe(storable(value).join(''))
      expect(children).toEqual([{ name: 'c', attributes: {}, children: kept === '' ? [] : [kept] }, ...(kept === '' ? [] : [kept])])
    }),
    { seed, numRuns: 1_000 },
  )
})
