import type { FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'

/** The longest URL that is read: docs/reference/api.md#limits. */
export const maxUrlBytes = 8 * 1024
/** What stands around the URL in the first line of a request: method, version and two spaces. */
const aroundUrlBytes = 32

/** What is judged before anything else, routes included: the length of the URL (RFC 9112 §3) and that HTTP/1.1 names its host (§3.2). */
export function requireRequestLine({ raw }: FastifyRequest): void {
  if ((raw.url ?? '').length > maxUrlBytes) throw uriTooLong()
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    throw new Problem('malformed_request', 'The header Host is missing.')
  }
}

/** Whether the first line of what was sent is longer than any with a URL that is read. */
export function hasLongUrl(firstPacket: Buffer): boolean {
  const end = firstPacket.indexOf('\r\n')
  return (end < 0 ? firstPacket.length : end) > maxUrlBytes + aroundUrlBytes
}

export function uriTooLong(): Problem {
  return new Problem('uri_too_long', `The URL is longer than ${maxUrlBytes} bytes.`)
}

/** Whether a request with this method changes nothing. */
export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}
