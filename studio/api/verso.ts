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
  readonly #projectId: string
  #token: Promise<SessionToken> | undefined

  constructor(projectId: string) {
    this.#projectId = projectId
    const key = async (refused?: string) => (await this.access(refused)).token
    // The cookie of the session is for `/studio` alone.
    this.verso = new Verso({
      url: serviceUrl.href,
      key,
      retries: 2,
      fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
    })
  }

  /** What the person may do here, with a token that holds: where one was taken back, the session says whether there is another. */
  async access(refused?: string): Promise<SessionToken> {
    const known = await this.#token?.catch(() => undefined)
    if (known && known.token !== refused && Date.parse(known.expiresAt) - refreshMs > Date.now()) return known
    this.#token = askSession<SessionToken>('POST', '/token', { projectId: this.#projectId })
    return this.#token
  }
}

const opened = new Map<string, ProjectApi>()

/** The API of a project. It is kept, with its token and the answers that it has seen. */
export function apiOf(projectId: string): ProjectApi {
  const api = opened.get(projectId) ?? new ProjectApi(projectId)
  opened.set(projectId, api)
  return api
}

/** Forgets every token and answer, for somebody else may sign in. */
export function forgetAll(): void {
  opened.clear()
}

/** The items of all pages. */
export async function everyItem<T>(pages: AsyncIterable<{ readonly data: readonly T[] }>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const { data } of pages) found.push(...data)
  return found
}
