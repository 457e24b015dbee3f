import { namesIn } from './documented-parameters.ts'
import type { ByName } from './openapi-types.ts'
import type { DocumentedRoute } from './route-collector.ts'

/** Requests and answers that really took place: `examples.json`, which a test takes anew from a running service and compares. */
export interface Examples {
  /** By operationId. */
  readonly operations: ByName<Exchange>
  /** Problem documents by code. */
  readonly problems: ByName<unknown>
}

/** A request and its answer. */
export interface Exchange {
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

/** The values that the path of a request gave to the names in its route. */
export function pathSamples(url: string, path: string): ByName<string> {
  const form = new RegExp(`^${url.replace(/:\w+/g, '([^/]+)')}$`)
  const values = form.exec(path.split('?')[0] ?? '')?.slice(1) ?? []
  return Object.fromEntries(namesIn(url).flatMap((name, i) => (values[i] === undefined ? [] : [[name, decodeURIComponent(values[i])]])))
}

/** The request as a line for a shell in which VERSO is the address and KEY an API key. */
export function curlLine({ method, url, access }: DocumentedRoute, exchange: Exchange | undefined): string {
  const { path = url.replace(/:(\w+)/g, '{$1}'), body } = exchange ?? {}
  const words = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$VERSO${path}"`,
    ...(access === 'key' ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ]
  return words.join(' \\\n  ')
}
