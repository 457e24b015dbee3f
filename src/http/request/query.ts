import type { FastifyRequest } from 'fastify'
import type { QueryParams } from '../../lists/list-spec.ts'
import { Problem } from '../../values/problems.ts'

/** The path of a request as the client sent it, without its query, also of a URL in absolute form (RFC 9112 §3.2.2). */
export function pathOf(request: FastifyRequest): string {
  return withoutOrigin(request.url).split('?')[0] ?? ''
}

export function withoutOrigin(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '')
}

/** The query parameters of a request, each with all its values; 400 if they are not percent-encoded UTF-8. */
export function queryOf(request: FastifyRequest): QueryParams {
  const url = request.raw.url ?? ''
  const start = url.indexOf('?')
  return start < 0 ? new Map() : parseQuery(url.slice(start + 1))
}

export function parseQuery(text: string): QueryParams {
  const params = new Map<string, string[]>()
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    const values = params.get(name)
    if (values) values.push(value)
    else params.set(name, [value])
  }
  return params
}

export function formatQuery(params: QueryParams): string {
  const parts = [...params].flatMap(([name, values]) => values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`))
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Problem('malformed_request', 'The query is not percent-encoded UTF-8.')
  }
}
