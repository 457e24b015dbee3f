import type { SeededRandom } from '../harness/seeded-random.ts'
import { type ApiOperation, operations, type Parameter } from './operations.ts'
import { neededBy } from './scope-table.ts'
import { headerOf, textOf, type WireAnswer, type WireRequest } from './wire.ts'

/** Who reads: none of these may see anything unpublished. */
export const readers = ['public', 'publicMedia', 'reader', 'emailReader', 'none', 'unknown'] as const
export type Reader = (typeof readers)[number]
const withKeys = readers.filter((reader) => reader !== 'none' && reader !== 'unknown')

export type PublicRead = Omit<WireRequest, 'key'> & { readonly reader: Reader }

/** The words of titles and contents. */
export const words = ['alpha', 'Beta', 'zeta', 'Secret', 'plan', 'Straße', 'garden', 'ΣΊΣΥΦΟΣ', 'quiet', 'news', '100%', 'a_b']
export const tagNames = ['News', 'news', 'NEWS', 'Quiet', 'guides', 'Node.js', 'Straße', 'later']

/** What answers have shown, and what was hidden in one of the worlds. */
export class Memory {
  readonly #known = new Map<string, string[]>()
  readonly #reads: { readonly read: PublicRead; readonly etag: string | undefined }[] = []
  #refused = 0
  #next: PublicRead | undefined

  note(kind: string, value: unknown): void {
    if (typeof value !== 'string' || value === '') return
    const all = this.#known.get(kind) ?? []
    if (!all.includes(value)) this.#known.set(kind, [...all, value].slice(-60))
  }

  learn(read: PublicRead, answer: WireAnswer): void {
    // Of what was refused, little is asked again.
    if (answer.status >= 400 && this.#refused++ % 4 > 0) return
    this.#reads.push({ read, etag: headerOf(answer, 'etag') })
    if (this.#reads.length > 40) this.#reads.shift()
    this.note('next', /<([^>]*cursor=[^>]*)>; rel="next"/.exec(headerOf(answer, 'link') ?? '')?.[1])
    if (headerOf(answer, 'content-encoding') || answer.body.length === 0) return
    if (!headerOf(answer, 'content-type')?.includes('json')) return
    const body = JSON.parse(textOf(answer))
    this.note(`since of ${read.reader}`, body.nextCursor)
    this.note('cursor', body.pagination?.nextCursor)
    for (const each of Array.isArray(body.data) ? body.data : [body]) {
      const kind = String(each.id).split('_')[0] ?? ''
      this.note(kind, each.id)
      // A tag has no id.
      this.note(each.id === undefined ? 'tag slug' : `${kind} slug`, each.slug)
    }
  }

  knows(kind: string): boolean {
    return this.#known.has(kind)
  }

  some(random: SeededRandom, kind: string): string {
    const all = this.#known.get(kind) ?? []
    return all.length > 0 && random.int(12) > 0 ? random.pick(all) : `${kind}-never`
  }

  /** Somebody who sees drafts has just asked the same: what is kept of that answer may not be given to others. */
  askNext(read: PublicRead): void {
    this.#next = read
  }

  takeNext(): PublicRead | undefined {
    const next = this.#next
    this.#next = undefined
    return next
  }

  earlier(random: SeededRandom) {
    return this.#reads.length > 0 ? random.pick(this.#reads) : undefined
  }
}

const reading = operations.filter(({ method }) => method === 'GET')
/** What some reader may ask. */
const open = reading.filter(({ path }) =>
  ['any', 'posts:read', 'authors:read', 'media:read', 'changes:read'].includes(neededBy(`GET ${path}`) ?? ''),
)
const closed = reading.filter((operation) => !open.includes(operation))
const writing = operations.filter(({ method }) => method !== 'GET')
const isAbout = (path: string) => (operation: ApiOperation) => operation.path === path
/** The ways to read posts more often than the others. */
const weighted: readonly ApiOperation[] = [
  ...Array.from({ length: 16 }, () => reading.find(isAbout('/v1/posts'))),
  ...Array.from({ length: 6 }, () => reading.find(isAbout('/v1/posts/{idOrSlug}'))),
  ...Array.from({ length: 4 }, () => reading.find(isAbout('/v1/changes'))),
  ...Array.from({ length: 4 }, () => reading.find(isAbout('/v1/redirects'))),
  ...Array.from({ length: 3 }, () => reading.find(isAbout('/v1/tags'))),
  ...open,
].filter((each) => each !== undefined)

/** Any request that needs no sight of what is unpublished. */
export function anyRead(random: SeededRandom, memory: Memory, now: Date): PublicRead {
  const next = memory.takeNext()
  if (next) return next
  const reader = random.int(4) > 0 ? 'public' : random.pick(random.int(3) > 0 ? withKeys : readers)
  const earlier = random.int(10) < 3 ? memory.earlier(random) : undefined
  if (earlier) return again(random, earlier.read, earlier.etag, reader)
  const headers = { ...(random.int(4) === 0 && { 'accept-encoding': random.pick(['gzip', 'br', 'gzip;q=0.5, br']) }) }
  if (random.int(12) === 0 && memory.knows('next'))
    return { method: 'GET', path: memory.some(random, 'next').replace(/^next-/, '/v1/posts?cursor='), reader, headers }
  if (random.int(25) === 0) return { ...refusedWrite(reader, { random, memory, now }), reader, headers }
  const method = random.int(10) === 0 ? 'HEAD' : 'GET'
  if (random.int(8) === 0) return { method, path: feedPath(random, memory), reader, headers }
  const operation = random.pick(random.int(20) === 0 ? closed : weighted)
  return { method, path: pathOf(operation, reader, { random, memory, now }), reader, headers }
}

const feedFiles = ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml', 'sitemap.xml?page=2']

/** A feed of the project, or of something that may be hidden. */
function feedPath(random: SeededRandom, memory: Memory): string {
  const parts = ['', '', 'tags', 'tags', 'categories', 'authors'] as const
  const part = random.pick(parts)
  const named = part === '' ? '' : `${part}/${encodeURIComponent(memory.some(random, random.pick(kindsInPaths[part] ?? [])))}/`
  return `/v1/feeds/default/${named}${random.pick(feedFiles)}`
}

function again(random: SeededRandom, read: PublicRead, etag: string | undefined, reader: Reader): PublicRead {
  const isConditional = etag !== undefined && random.int(2) === 0
  const headers = { ...read.headers, ...(isConditional && { 'if-none-match': etag }) }
  const method = read.method === 'GET' && random.int(6) === 0 ? 'HEAD' : read.method
  return { ...read, method, headers, reader: random.int(3) > 0 ? read.reader : reader }
}

/** A write with a key that may not write, of something that may be hidden. */
function refusedWrite(reader: Reader, drawing: Drawing) {
  const operation = drawing.random.pick(writing)
  const body = operation.body === undefined ? {} : { body: JSON.stringify(operation.body) }
  return { method: operation.method, path: pathOf(operation, reader, drawing), ...body }
}

function pathOf(operation: ApiOperation, reader: Reader, { random, memory, now }: Drawing): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValue(operation, name, random, memory)))
  const chosen = operation.parameters.filter(({ in: place, name }) => place === 'query' && random.fraction() < chanceOf(name))
  const isKnown = (name: string) => name !== 'since' || memory.knows(`since of ${reader}`)
  const pairs = chosen
    .filter(({ name }) => isKnown(name))
    .map((each) => `${each.name}=${encodeURIComponent(textFor(each, reader, { random, memory, now }))}`)
  if (random.int(80) === 0) pairs.push('statu=draft')
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

/** The kind of id that a path takes after each of these. */
const kindsInPaths: Readonly<Record<string, readonly string[]>> = {
  posts: ['post', 'post', 'post slug', 'post slug', 'hidden', 'hidden', 'old'],
  tags: ['tag slug', 'tag slug', 'hiddenTag'],
  categories: ['cat', 'cat slug'],
  authors: ['auth'],
  media: ['med'],
}

function pathValue({ path }: ApiOperation, name: string, random: SeededRandom, memory: Memory): string {
  if (name === 'version') return String(1 + random.int(4))
  const before = path.split('/')[path.split('/').indexOf(`{${name}}`) - 1] ?? ''
  return memory.some(random, random.pick(kindsInPaths[before] ?? ['post', 'hidden']))
}

const chances: Readonly<Record<string, number>> = {
  status: 0.05,
  trashed: 0.02,
  cursor: 0.02,
  preview_token: 0.05,
  since: 0.8,
  wait: 0.1,
  page: 0.2,
}
const chanceOf = (name: string) => chances[name] ?? 0.12

const minuteMs = 60_000
const spans = [0, 1, 60, 24 * 60, 30 * 24 * 60]

/** What a part of a request is drawn from. */
interface Drawing {
  readonly random: SeededRandom
  readonly memory: Memory
  readonly now: Date
}

const values: Readonly<Record<string, (random: SeededRandom, memory: Memory, reader: Reader) => string>> = {
  page: (random) => random.pick(['1', '2', '2', '3', '7', '40', '200', random.pick(['0', '1000000000'])]),
  limit: (random) => random.pick(['1', '2', '3', '5', '20', '50', '100', random.pick(['101', ''])]),
  total: (random) => random.pick(['false', 'true']),
  trashed: (random) => random.pick(['true', 'false']),
  wait: (random) => random.pick(['0', '0', '0', '31']),
  category: (random, memory) => memory.some(random, 'cat slug'),
  tag: (random, memory) => random.pick(['news', 'quiet', 'guides', 'news,quiet', 'node-js', memory.some(random, 'hiddenTag')]),
  author: (random, memory) => memory.some(random, 'auth'),
  search: (random) => random.pick(words).slice(0, 1 + random.int(6)),
  q: (random) => Array.from({ length: 1 + random.int(2) }, () => random.pick(words)).join(' '),
  cursor: (random, memory) => memory.some(random, 'cursor'),
  // Now and then one of another key.
  since: (random, memory, reader) => memory.some(random, `since of ${random.int(10) > 0 ? reader : random.pick(readers)}`),
  preview_token: () => 'verso_prev_none',
}

function textFor({ name, schema }: Parameter, reader: Reader, { random, memory, now }: Drawing): string {
  const known = values[name]
  if (known) return known(random, memory, reader)
  if (schema.format === 'date-time') return new Date(now.getTime() - random.pick(spans) * minuteMs).toISOString()
  const item = schema.type === 'array' && 'items' in schema ? schema.items : schema
  const choices = item && 'enum' in item ? item.enum : undefined
  if (!choices) return random.pick(['1', 'true', 'a', ''])
  return Array.from({ length: 1 + random.int(schema.type === 'array' ? 3 : 1) }, () => String(random.pick(choices))).join(',')
}
