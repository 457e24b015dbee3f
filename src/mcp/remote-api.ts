import { randomUUID } from 'node:crypto'
import { type Api, Refusal, requestOf } from './api.ts'

interface Remote {
  readonly url: URL
  readonly key: string
  /** The program that uses the tools, as it says itself. */
  readonly client: string | undefined
}

const timeoutMs = 60_000

/** Requests to `/v1` of a service elsewhere. The key is sent in a header of requests to it, and nowhere else. */
export function remoteApi({ url: { href, origin }, key, client }: Remote): Api {
  const url = href.replace(/(?<!\/)\/+$/, '')
  return {
    url,
    async ask(method, path, asked = {}) {
      const { path: target, headers: given, body } = requestOf(path, asked)
      const isWrite = method !== 'GET'
      const headers = {
        ...given,
        authorization: `Bearer ${key}`,
        ...(client !== undefined && { 'verso-client': client }),
        // So that a write whose answer was lost can be sent again, and is done once.
        ...(isWrite && { 'idempotency-key': randomUUID() }),
      }
      const send = async () => {
        const init: RequestInit = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }
        const response = await fetch(url + target, { ...init, ...(body !== undefined && { body }) })
        return { response, text: await response.text() }
      }
      const { response, text } = await send()
        .catch((error: unknown) => (isTimeout(error) ? Promise.reject(error) : send()))
        .catch(() => {
          throw unreachable(origin, isWrite)
        })
      const { status } = response
      const location = response.headers.get('location')
      // Verso leads to other paths, never to other hosts.
      if (status === 301 && location?.startsWith('/')) return { status, body: location }
      if (status < 500 && status !== 204 && !isJson(response)) throw foreign(origin, status)
      return { status, body: isJson(response) && text !== '' ? JSON.parse(text) : undefined }
    },
  }
}

/** What took a minute is not begun again: clients of agents wait no longer. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function unreachable(origin: string, isWrite: boolean): Refusal {
  const doubt = isWrite ? ' Whether the change was made is unknown: look with find_posts or read_post before you repeat it.' : ''
  return new Refusal(`${origin} cannot be reached. Ask a person to check VERSO_URL and the service, then try again.${doubt}`)
}

function foreign(origin: string, status: number): Refusal {
  return new Refusal(
    `${origin} answered ${status}, and not as Verso does. Ask a person to check VERSO_URL, and what stands before the service.`,
  )
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}
