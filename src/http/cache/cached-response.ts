import type { Body } from '../body.ts'
import { type Coding, codingFor, encode } from '../content-coding.ts'

/** A response in one coding, ready to be sent. */
export interface ResponseVariant {
  readonly etag: string
  readonly coding: Coding
  /** Missing where only the tag is known. */
  readonly body: Body | undefined
  /** Names and values in turn. The first value is the id of the request, set when it is sent. */
  readonly headers: string[]
  /** Those of a 304 (RFC 9110 §15.4.5). */
  readonly headersUnmodified: string[]
}

interface CachedResponseParts {
  /** Missing where only the tag is known, which is enough for a 304. */
  readonly bytes: Body | undefined
  /** Names and values in turn. Each variant has its own value of `etag`, at the same place: an answer does not show that it is from memory. */
  readonly headers: readonly string[]
  tag(preferred: Coding): string
}

/** The headers of a 200 that a 304 does not have. */
const ofBody = /^(?:link$|content-)/

/** A response and its variants by coding. Each is made once, when it is first needed. */
export class CachedResponse {
  readonly #parts: CachedResponseParts
  readonly #ready = new Map<Coding, ResponseVariant>()
  readonly #bodies = new Map<Coding, Promise<Body>>()
  #bytes: number

  constructor(parts: CachedResponseParts) {
    this.#parts = parts
    this.#bytes = parts.bytes?.length ?? 0
  }

  /** Whether the body is known, and not just the tag. */
  get isWhole(): boolean {
    return this.#parts.bytes !== undefined
  }

  /** The size of all bodies. */
  get bytes(): number {
    return this.#bytes
  }

  /** The same response without its body. */
  withoutBody(): CachedResponse {
    return new CachedResponse({ ...this.#parts, bytes: undefined })
  }

  /** The variant for clients that prefer this coding, if it was made before. */
  ready(preferred: Coding): ResponseVariant | undefined {
    return this.#ready.get(preferred)
  }

  async make(preferred: Coding): Promise<ResponseVariant> {
    const { bytes } = this.#parts
    const coding = codingFor(preferred, bytes?.length ?? 0)
    const body = bytes && (await this.#body(coding, bytes))
    const variant = this.#ready.get(preferred) ?? toVariant(this.#parts, this.#parts.tag(preferred), coding, body)
    this.#ready.set(preferred, variant)
    return variant
  }

  async #body(coding: Coding, bytes: Body): Promise<Body> {
    const known = this.#bodies.get(coding)
    if (known) return known
    const made = encode(coding, bytes)
    this.#bodies.set(coding, made)
    const body = await made.catch((error: unknown) => {
      this.#bodies.delete(coding)
      throw error
    })
    if (body !== bytes) this.#bytes += body.length
    return body
  }
}

function toVariant({ headers }: CachedResponseParts, etag: string, coding: Coding, body: Body | undefined): ResponseVariant {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, name === 'etag' ? etag : (headers[i + 1] ?? '')] as const] : []))
  const coded = coding === 'identity' ? [] : ['content-encoding', coding]
  const id = ['x-request-id', '']
  return {
    etag,
    coding,
    body,
    headers: [...id, ...pairs.flat(), ...coded, 'content-length', String(body?.length ?? 0)],
    headersUnmodified: [...id, ...pairs.filter(([name]) => !ofBody.test(name)).flat()],
  }
}
