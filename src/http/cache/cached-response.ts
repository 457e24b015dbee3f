import { type Coding, codingFor, encode } from '../content-coding.ts'

/** An answer as it goes out to those who want this. */
export interface ResponseVariant {
  readonly etag: string
  readonly coding: Coding
  /** None where only the tag is known. */
  readonly body: Buffer | undefined
  /** Names and values in turn; the first value is the id of the request, set for each as it is sent. */
  readonly headers: string[]
  /** Those of a 304 (RFC 9110 §15.4.5). */
  readonly headersUnmodified: string[]
}

interface CachedResponseParts {
  /** None where only the tag is known: enough for those who have the answer. */
  readonly bytes: Buffer | undefined
  /** Names and values in turn, without what differs by form. */
  readonly headers: readonly string[]
  tag(wanted: Coding): string
}

/** The headers of a 200 that a 304 has not: those that tell of the body. */
const ofBody = /^(?:link$|content-)/

/** One answer in the forms in which it can be sent, each made when it is first wanted, and once. */
export class CachedResponse {
  readonly #parts: CachedResponseParts
  readonly #ready = new Map<Coding, ResponseVariant>()
  readonly #bodies = new Map<Coding, Promise<Buffer>>()
  #bytes: number

  constructor(parts: CachedResponseParts) {
    this.#parts = parts
    this.#bytes = parts.bytes?.length ?? 0
  }

  /** Whether there is more than a tag. */
  get isWhole(): boolean {
    return this.#parts.bytes !== undefined
  }

  /** What all of them take. */
  get bytes(): number {
    return this.#bytes
  }

  /** The form for those who want this, if it was made before. */
  ready(wanted: Coding): ResponseVariant | undefined {
    return this.#ready.get(wanted)
  }

  async make(wanted: Coding): Promise<ResponseVariant> {
    const { bytes } = this.#parts
    const coding = codingFor(wanted, bytes?.length ?? 0)
    const body = bytes && (await this.#body(coding, bytes))
    const form = this.#ready.get(wanted) ?? formOf(this.#parts, this.#parts.tag(wanted), coding, body)
    this.#ready.set(wanted, form)
    return form
  }

  async #body(coding: Coding, bytes: Buffer): Promise<Buffer> {
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

function formOf({ headers }: CachedResponseParts, etag: string, coding: Coding, body: Buffer | undefined): ResponseVariant {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ''] as const] : []))
  const coded = coding === 'identity' ? [] : ['content-encoding', coding]
  const id = ['x-request-id', '']
  return {
    etag,
    coding,
    body,
    headers: [...id, ...headers, 'etag', etag, ...coded, 'content-length', String(body?.length ?? 0)],
    headersUnmodified: [...id, ...pairs.filter(([name]) => !ofBody.test(name)).flat(), 'etag', etag],
  }
}
