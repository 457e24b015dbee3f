import { Problem, Verso } from '@verso/client'
import { serviceUrl } from './address.ts'
import { askSession, type SessionToken, session } from './session.ts'

export type * from '@verso/client'
export { Problem } from '@verso/client'

/** A token is fetched anew so long before it ends. */
const refreshMs = 60_000

/** A project as the person who is signed in may use it. */
export class ProjectApi {
  readonly verso: Verso
  /** For what is kept here anyway, and tried again soon: it hears at once that Verso cannot be reached. */
  readonly impatient: Verso
  readonly #projectId: string
  #token: Promise<SessionToken> | undefined

  constructor(projectId: string) {
    this.#projectId = projectId
    const fetchWithToken: typeof fetch = (input, init) => this.#fetch(input, init)
    this.verso = new Verso({ url: serviceUrl.href, fetch: fetchWithToken, retries: 2 })
    this.impatient = new Verso({ url: serviceUrl.href, fetch: fetchWithToken, retries: 0, timeoutMs: 15_000 })
  }

  /** What the person may do here. */
  async access(): Promise<Pick<SessionToken, 'scopes' | 'role'>> {
    return this.#fresh()
  }

  async #fresh(): Promise<SessionToken> {
    const known = await this.#token?.catch(() => undefined)
    if (known && Date.parse(known.expiresAt) - refreshMs > Date.now()) return known
    this.#token = askSession<SessionToken>('POST', '/token', { projectId: this.#projectId })
    return this.#token
  }

  async #fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const send = async () => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${(await this.#fresh()).token}`)
      return fetch(input, { ...init, headers, credentials: 'omit' })
    }
    try {
      const response = await send()
      if (response.status !== 401) return response
      // The token was taken back: the session says whether there is another.
      this.#token = undefined
      return await send()
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0) throw error
      if (error.status === 401) session.value = null
      return new Response(JSON.stringify(error.document), { status: error.status })
    }
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
