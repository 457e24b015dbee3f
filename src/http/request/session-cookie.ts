import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'
import { isToken } from '../../values/token.ts'
import { isRead } from './request-line.ts'

/** Where the studio is, as browsers see it. */
export interface StudioPlace {
  readonly publicUrl: URL | undefined
  /** The path of the public URL, without a slash at its end. */
  readonly basePath: string
}

const name = 'verso-studio'
/** A browser takes it only over TLS, from this very host, and for all paths; nobody else can set it (RFC 6265bis §4.1.3.2). */
const hostName = `__Host-${name}`

/**
 * The token of the session's cookie (docs/decisions/0059-sessions.md). Behind TLS only the cookie that no other host can set counts. Nothing
 * but the studio's session reads it.
 */
export function sessionTokenOf(request: FastifyRequest, place: StudioPlace): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map(parseCookie)
  const valuesOf = (named: string) => [...new Set(cookies.filter(([each]) => each === named).map(([, each]) => each))]
  const [host, plain] = [valuesOf(hostName), isSurelyTls(request, place) ? [] : valuesOf(name)]
  // Of two, one was planted, by another port or path of the host; nobody can tell which.
  const [value, second] = host.length > 0 ? host : plain
  if (second !== undefined) return undefined
  return value !== undefined && isToken(value, ['verso_studio_']) ? value : undefined
}

function parseCookie(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()]
}

interface SessionCookie {
  readonly token: string
  readonly maxAgeSeconds: number
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  place: StudioPlace,
  { token, maxAgeSeconds }: SessionCookie,
): void {
  reply.header('set-cookie', cookieOf(request, place, `${token}; Max-Age=${maxAgeSeconds}`))
}

export function dropSessionCookie(request: FastifyRequest, reply: FastifyReply, place: StudioPlace): void {
  reply.header('set-cookie', cookieOf(request, place, '; Max-Age=0'))
}

function cookieOf(request: FastifyRequest, place: StudioPlace, value: string): string {
  const isTls = isSurelyTls(request, place) || request.headers.origin?.startsWith('https:')
  const [named, where] = isTls ? [hostName, 'Path=/; Secure'] : [name, `Path=${place.basePath}/studio`]
  return `${named}=${value}; ${where}; HttpOnly; SameSite=Strict`
}

function isSurelyTls(request: FastifyRequest, { publicUrl }: StudioPlace): boolean {
  return publicUrl?.protocol === 'https:' || request.protocol === 'https'
}

/**
 * 401 unless the request comes from a page of the studio itself: a browser says so with `Sec-Fetch-Site`, or with `Origin` where it sends no
 * such header. Reads may come without either; a page elsewhere could not see their answer.
 */
export function requireSameOrigin(request: FastifyRequest, place: StudioPlace): void {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined ? site === 'same-origin' : origin !== undefined ? isOwnOrigin(origin, request, place) : isRead(request.method))
    return
  const hint = site === undefined && place.publicUrl === undefined ? ' Behind a proxy, set VERSO_PUBLIC_URL.' : ''
  throw new Problem('unauthenticated', `A session is used from the pages of the studio alone, by their Origin or Sec-Fetch-Site.${hint}`)
}

/** Whether it is the public URL's, or that of the host that the browser connected to. */
export function isOwnOrigin(origin: string, { host }: FastifyRequest, { publicUrl }: StudioPlace): boolean {
  return origin === publicUrl?.origin || origin === `http://${host}` || origin === `https://${host}`
}
