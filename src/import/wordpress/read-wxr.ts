import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ownCopy } from '../../values/code-points.ts'
import { FileFault, readText } from '../exports/read-text.ts'
import type { WxrAuthor, WxrChannel, WxrItem, WxrTerm } from './wxr-item.ts'

/** Far more than any post has; a longer one would fill the memory. */
const maxValueLength = 64 * 1024 * 1024
/** Of an attribute of the XML, which holds a name of a few letters. */
const maxAttributeLength = 64 * 1024
/** Of one element. The root declares its namespaces. */
const maxAttributes = 100

/** A text can be used although its XML has one of these mistakes: old exports of WordPress make them. */
const harmless =
  /^(?:disallowed character|undefined entity|empty entity name|malformed character entity|the string "\]\]>" is disallowed in char data)\.$/

/** Spellings of the namespaces that exports have been given, by what they stand for. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/?$/, 'excerpt'],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/?$/, 'wp'],
  [/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?$/, 'content'],
  [/^https?:\/\/purl\.org\/dc\/elements\/1\.1\/?$/, 'dc'],
]

/** Reads the items of an export one by one. Throws `FileFault` where the file is no XML, or ends before its end. */
export async function* readItems(path: string, channel = new ChannelFacts()): AsyncGenerator<WxrItem, void, void> {
  const found: WxrItem[] = []
  const reader = new WxrParser((item) => found.push(item), channel)
  for await (const text of readText(path)) {
    reader.write(text)
    yield* found.splice(0)
  }
  reader.close()
  yield* found.splice(0)
}

/** What an export says besides its items, while it is read. */
export class ChannelFacts implements WxrChannel {
  version = ''
  title = ''
  siteUrl = ''
  readonly authors = new Map<string, WxrAuthor>()
  readonly categorySlugs = new Map<string, string>()

  add(name: string, value: string): void {
    if (name === 'wp:wxr_version') this.version = ownCopy(value)
    if (name === 'title') this.title = ownCopy(value)
    const url = ownCopy(value.trim().replace(/(?<!\/)\/+$/, ''))
    // The address of the blog counts most, that of its installation least.
    if (name === 'wp:base_blog_url' || (name === 'link' && this.siteUrl === '')) this.siteUrl = url
  }

  addAuthor(fields: ReadonlyMap<string, string>): void {
    const field = (name: string) => ownCopy((fields.get(`wp:author_${name}`) ?? '').trim())
    const login = field('login')
    const name = field('display_name') || [field('first_name'), field('last_name')].join(' ').trim() || login
    if (login !== '') this.authors.set(login, { login, email: field('email'), name })
  }

  addCategory(fields: ReadonlyMap<string, string>): void {
    this.categorySlugs.set(ownCopy(fields.get('wp:term_id') ?? ''), ownCopy(fields.get('wp:category_nicename') ?? ''))
  }
}

type Record = 'item' | 'author' | 'category' | 'other'

const records: Readonly<{ [name: string]: Record }> = {
  item: 'item',
  'wp:author': 'author',
  'wp:category': 'category',
  'wp:tag': 'other',
  'wp:term': 'other',
  image: 'other',
}

class WxrParser {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  readonly #onItem: (item: WxrItem) => void
  readonly #channel: ChannelFacts
  readonly #names: string[] = []
  readonly #prefixes = new Map<string, string>()
  #read = 0
  #lastEvent = 0
  #text: string[] = []
  #attributes: SaxesTagPlain['attributes'] = {}
  /** Of the element that is being read. */
  #attributeCount = 0
  #record: Record | undefined
  #line = 1
  #fields = new Map<string, string>()
  #meta = new Map<string, string[]>()
  #metaKey = ''
  #terms: WxrTerm[] = []
  #comments = 0

  constructor(onItem: (item: WxrItem) => void, channel: ChannelFacts) {
    this.#onItem = onItem
    this.#channel = channel
    const parser = this.#parser
    parser.on('error', (error) => this.#fail(error))
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(?:utf-?8|us-ascii)$/i.test(encoding))
        throw this.#fault(`the file says that it is in ${encoding.slice(0, 40)}; convert it to UTF-8 first`)
    })
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype)) throw this.#fault('the file declares entities, which no export of WordPress does; it is not read')
    })
    parser.on('attribute', ({ name, value }) => {
      if (value.length > maxAttributeLength)
        throw this.#fault(`the attribute ${name.slice(0, 40)} has ${value.length} characters, more than ${maxAttributeLength}`)
      this.#attributeCount += 1
      if (this.#attributeCount > maxAttributes) throw this.#fault(`an element has more than ${maxAttributes} attributes`)
    })
    parser.on('opentag', (tag) => this.#open(tag))
    parser.on('closetag', () => this.#close())
    parser.on('text', (text) => this.#append(text))
    parser.on('cdata', (text) => this.#append(text))
  }

  write(text: string): void {
    this.#read += text.length
    this.#parser.write(text)
    if (this.#read - this.#lastEvent > maxValueLength) throw this.#fault(`one value has more than ${maxValueLength} characters`)
  }

  close(): void {
    this.#parser.close()
    if (this.#channel.version === '' && this.#names.length === 0 && this.#fields.size === 0 && this.#channel.title === '')
      throw new FileFault('this is no export of WordPress: it has no channel')
  }

  #append(text: string): void {
    this.#lastEvent = this.#read
    if (this.#names.length > 2) this.#text.push(text)
  }

  #open(tag: SaxesTagPlain): void {
    this.#lastEvent = this.#read
    if (this.#names.length === 0) this.#readPrefixes(tag)
    const name = this.#canonical(tag.name)
    this.#names.push(name)
    this.#text = []
    this.#attributes = tag.attributes
    this.#attributeCount = 0
    if (this.#names.length > 50) throw this.#fault('elements are nested deeper than in any export of WordPress')
    if (this.#names.length !== 3) return
    this.#record = records[name]
    this.#line = this.#parser.line
    this.#fields = new Map()
    this.#meta = new Map()
    this.#terms = []
    this.#comments = 0
  }

  #close(): void {
    this.#lastEvent = this.#read
    const text = this.#text.join('')
    const name = this.#names.pop() ?? ''
    const depth = this.#names.length
    if (depth === 2) this.#endRecord(name, text)
    if (depth === 3 && this.#record) this.#endField(name, text)
    if (depth === 4 && this.#names[3] === 'wp:postmeta') this.#endMeta(name, text)
    this.#text = []
  }

  #endRecord(name: string, text: string): void {
    if (!this.#record) this.#channel.add(name, text)
    if (this.#record === 'author') this.#channel.addAuthor(this.#fields)
    if (this.#record === 'category') this.#channel.addCategory(this.#fields)
    if (this.#record === 'item')
      this.#onItem({ line: this.#line, fields: this.#fields, meta: this.#meta, terms: this.#terms, comments: this.#comments })
    this.#record = undefined
  }

  #endField(name: string, text: string): void {
    if (name === 'wp:comment') this.#comments += 1
    else if (name === 'category' && this.#record === 'item')
      this.#terms.push({ taxonomy: this.#attributes.domain ?? 'category', slug: this.#attributes.nicename ?? '', name: text.trim() })
    else if (!this.#fields.has(name)) this.#fields.set(name, text)
  }

  #endMeta(name: string, text: string): void {
    if (name === 'wp:meta_key') this.#metaKey = text.trim()
    if (name !== 'wp:meta_value') return
    const values = this.#meta.get(this.#metaKey)
    if (values) values.push(text)
    else this.#meta.set(this.#metaKey, [text])
  }

  #readPrefixes({ attributes }: SaxesTagPlain): void {
    for (const [name, address] of Object.entries(attributes)) {
      const meant = prefixes.find(([pattern]) => pattern.test(address))?.[1]
      if (name.startsWith('xmlns:') && meant) this.#prefixes.set(name.slice('xmlns:'.length), meant)
    }
  }

  #canonical(name: string): string {
    const colon = name.indexOf(':')
    const prefix = colon < 0 ? undefined : this.#prefixes.get(name.slice(0, colon))
    return prefix === undefined ? name : `${prefix}${name.slice(colon)}`
  }

  #fail(error: Error): void {
    const message = error.message.replace(/^\d+:\d+: /, '')
    if (harmless.test(message)) return
    const reason = /unclosed tag|unexpected end|unclosed/.test(message)
      ? `the file ends before its end (${message.replace(/\.$/, '')})`
      : `the XML is broken: ${message.replace(/\.$/, '')}`
    throw this.#fault(reason)
  }

  #fault(message: string): FileFault {
    return new FileFault(message, this.#parser.line)
  }
}
