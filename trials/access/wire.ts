import { Agent, request } from 'node:http'

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  /** The token to send, or none. */
  readonly key: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response as it came over the wire: nothing is decoded. */
export interface WireAnswer {
  readonly status: number
  /** Names and values, in the order in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** Sends requests to one service over one connection. */
export type Wire = (asked: WireRequest) => Promise<WireAnswer>

/** More than the service may send, so that a trial sees what is too long. */
const maxHeaderSize = 256 * 1024

export function openWire(url: string): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(url)
  return ({ method, path, key, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const all = {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      }
      const sent = request({ agent, maxHeaderSize, hostname, port, method, path, headers: all }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const pairs = response.rawHeaders.flatMap((name, i, raw) =>
            i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? ''] as const] : [],
          )
          resolve({ status: response.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject).end(body)
    })
}

export function headerOf({ headers }: WireAnswer, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1]
}

/** The body as text, of a response that was not compressed. */
export const textOf = ({ body }: WireAnswer): string => body.toString('utf8')

/** All that tells one response from another, but when it was sent. */
export function told({ status, headers, body }: WireAnswer): string {
  const kept = headers.filter(([name]) => name !== 'date').map((pair) => pair.join(': '))
  return [status, ...kept, '', body.toString('latin1')].join('\n')
}
