import type { FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'

/** The longest URL (docs/reference/api.md#limits). */
export const maxUrlBytes = 8 * 1024
/** The rest of the request line: method, version and two spaces. */
const aroundUrlBytes = 32

/** Checks the length of the URL (RFC 9112 §3), and the Host header of HTTP/1.1 (§3.2), before everything else. */
export function requireRequestLine({ raw }: FastifyRequest): void {
  if ((raw.url ?? '').length > maxUrlBytes) throw uriTooLong()
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    throw new Problem('malformed_request', 'The Host header is missing.')
  }
}

/** Whether the request line is too long for any URL within the limit. */
export function hasLongUrl(firstPacket: Buffer): boolean {
  const end = firstPacket.indexOf('\r\n')
  return (end < 0 ? firstPacket.length : end) > maxUrlBytes + aroundUrlBytes
}

export function uriTooLong(): Problem {
  return new Problem('uri_too_long', `The URL is longer than ${maxUrlBytes} bytes.`)
}

export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}
