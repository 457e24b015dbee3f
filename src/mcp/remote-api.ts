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
      const { path: target, headers, body } = requestOf(path, asked)
      const named = client !== undefined && { 'verso-client': client }
      const init = { method, headers: { ...headers, authorization: `Bearer ${key}`, ...named }, ...(body !== undefined && { body }) }
      const response = await fetch(url + target, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(() => {
        throw new Refusal(`${origin} cannot be reached. Ask a person to check VERSO_URL and the service, then try again.`)
      })
      const text = await response.text()
      if (response.status === 301) return { status: 301, body: response.headers.get('location') }
      return { status: response.status, body: isJson(response) && text !== '' ? JSON.parse(text) : undefined }
    },
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}
