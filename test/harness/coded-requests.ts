import { request as send } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expectAsDocumented } from './response-checker.ts'

/** A response as it came over the wire, and its decoded body. */
export interface CodedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly raw: Buffer
  readonly text: string
}

interface CodedRequest {
  readonly method?: string
  readonly key?: string | null
  readonly body?: string
  /** Several `Accept-Encoding` headers, or none. */
  readonly accept?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and leaves the response encoded; `fetch` would decode it. */
export async function askCoded(url: string, path: string, asked: CodedRequest = {}): Promise<CodedAnswer> {
  const { method = 'GET', key = null, body, accept = [], headers = {} } = asked
  const all = Object.entries({
    host: new URL(url).host,
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  })
  const answer = await new Promise<Omit<CodedAnswer, 'text'>>((resolve, reject) => {
    const flat = [...all, ...accept.map((value) => ['accept-encoding', value] as const)].flat()
    const request = send(url + path, { method, headers: flat }, (response) => {
      const chunks: Buffer[] = []
      const received = new Headers(
        Object.entries(response.headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value])),
      )
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: received, raw: Buffer.concat(chunks) }))
    })
    request.on('error', reject).end(body)
  })
  const text = method === 'HEAD' ? '' : decoded(answer).toString()
  expectAsDocumented({ method, path, status: answer.status, headers: answer.headers, text })
  return { ...answer, text }
}

function decoded({ headers, raw, status }: Omit<CodedAnswer, 'text'>): Buffer {
  if (status === 304) return raw
  switch (headers.get('content-encoding')) {
    case 'br':
      return brotliDecompressSync(raw)
    case 'gzip':
      return gunzipSync(raw)
    default:
      return raw
  }
}
