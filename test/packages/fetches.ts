/** A `fetch` that is written down. */
export interface Fetched {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly status: number
}

/** The `fetch` of this machine, and what it was asked and answered. */
export function recorded(): { readonly fetch: typeof globalThis.fetch; readonly calls: Fetched[] } {
  const calls: Fetched[] = []
  return {
    calls,
    fetch: async (input, init) => {
      const response = await globalThis.fetch(input, init)
      const url = new URL(String(input))
      calls.push({
        method: init?.method ?? 'GET',
        path: url.pathname + url.search,
        headers: new Headers(init?.headers),
        status: response.status,
      })
      return response
    },
  }
}

/** A `fetch` that gives these answers in turn; an error is thrown. */
export function scripted(...answers: readonly (Response | Error)[]) {
  const calls: Omit<Fetched, 'status'>[] = []
  const left = [...answers]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    calls.push({ method: init?.method ?? 'GET', path: String(input), headers: new Headers(init?.headers) })
    const answer = left.shift() ?? new Error('no more answers')
    if (answer instanceof Error) throw answer
    return answer
  }
  return { fetch, calls }
}
