import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'

/** The longest URL (docs/reference/api.md#limits). */
const maxUrlBytes = 8 * 1024
/** The rest of the request line: method, version and two spaces. */
const aroundUrlBytes = 32

/** Checks the request line and the headers that HTTP/1.1 is about (RFC 9112), before everything else. */
export function requireRequestLine({ raw }: FastifyRequest): void {
  if ((raw.url ?? '').length > maxUrlBytes) throw uriTooLong()
  if (!isTarget(raw.url ?? ''))
    throw new Problem('malformed_request', 'The request target begins with neither a slash nor http:// or https://.')
  if (raw.url?.includes('#'))
    throw new Problem('malformed_request', 'The URL has a fragment (#…), which is never sent. A # in a value is %23.')
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') throw new Problem('malformed_request', 'The Host header is missing.')
  if (!isHost(raw.headers.host ?? '')) throw new Problem('malformed_request', 'The Host header is no host with or without a port.')
  const repeated = repeatedHeader(raw)
  if (repeated !== undefined) throw new Problem('malformed_request', `The header ${repeated} is given twice.`)
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw unknownTransferCoding()
}

/** A path, or a URL in absolute form (RFC 9112 §3.2). The router would take a `*` at the beginning for a slash. */
function isTarget(url: string): boolean {
  return /^(?:\/|https?:\/\/)/i.test(url)
}

/** Whether a `Host` has no character that a host or port never has (RFC 3986 §3.2). Proxies forward names as they are, also beyond ASCII. */
export function isHost(host: string): boolean {
  return /^[\w.~%!$&'()*+,;=:[\]\x80-\xff-]*$/.test(host)
}

/** Headers of which Node keeps the first and a proxy before it may have read the last. */
const single = ['host', 'authorization']

/** The name of a header that may be given once and is given twice. */
export function repeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  return single.find((name) => {
    let lines = 0
    for (let i = 0; i < rawHeaders.length; i += 2) if (isName(rawHeaders[i], name)) lines++
    return lines > 1
  })
}

/** Compares the length first: this is done for every request. */
function isName(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name
}

function unknownTransferCoding(): Problem {
  return new Problem('not_implemented', 'The only transfer coding is chunked.')
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
