import { signal } from '@preact/signals'
import { Verso } from '@verso/client'
import { serviceUrl } from './address.ts'
import { askSession, type SessionToken } from './session.ts'

export type * from '@verso/client'
export { Problem } from '@verso/client'

/** A token is fetched anew so long before it ends. */
const refreshMs = 60_000

/** A project as the person who is signed in may use it. */
export class ProjectApi {
  readonly verso: Verso
  /** What the person may do here. Nothing until it is known. */
  readonly access = signal<SessionToken | undefined>(undefined)
  readonly #projectId: string
  #token: Promise<SessionToken> | undefined

  constructor(projectId: string) {
    this.#projectId = projectId
    const key = async (refused?: string) => (await this.open(refused)).token
    // The cookie of the session is for `/studio` alone.
    this.verso = new Verso({
      url: serviceUrl.href,
      key,
      retries: 2,
      fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
    })
  }

  /** A token that holds: where one was taken back, the session says whether there is another. */
  async open(refused?: string): Promise<SessionToken> {
    const known = await this.#token?.catch(() => undefined)
    if (known && known.token !== refused && Date.parse(known.expiresAt) - refreshMs > Date.now()) return known
    this.#token = askSession<SessionToken>('POST', '/token', { projectId: this.#projectId })
    this.access.value = await this.#token
    return this.access.value
  }
}

/** The items of all pages. */
export async function everyItem<T>(pages: AsyncIterable<{ readonly data: readonly T[] }>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const { data } of pages) found.push(...data)
  return found
}
