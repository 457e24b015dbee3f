import type { LookupAddress } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { abortAfter } from '../../../values/stopwatch.ts'
import type { Outcome } from '../delivery.ts'
import type { AddressGuard } from './address-guard.ts'
import { hostOf, privateAddress, targetFaults } from './url-rules.ts'

/** From the look-up of the name to the end of the response. */
const timeoutMs = 15_000
/** Only the status counts. This much of the body is read, so that receivers can finish normal responses. */
const maxAnswerBytes = 16 * 1024

export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborts the request. */
  readonly signal: AbortSignal
  /** Asked when the connection is there, right before the first byte. If false, nothing is sent. */
  mayBegin(): boolean
}

/** The only place where Verso sends requests. */
export interface Outbound {
  /** Sends a POST and resolves with its outcome. It never rejects. */
  post(request: OutboundRequest): Promise<Outcome>
}

export interface OutboundParts {
  readonly guard: AddressGuard
  readonly clock: () => number
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>
  readonly timeoutMs?: number
}

/** Checks every address of a host after resolving it, and connects to a checked address. Does not follow redirects. */
export function openOutbound({ guard, clock, resolve = resolveAll, timeoutMs: limitMs = timeoutMs }: OutboundParts): Outbound {
  return {
    async post(request) {
      const began = clock()
      const { signal, end } = abortAfter(limitMs, request.signal)
      try {
        const target = await within(signal, checkTarget(request.url, guard, resolve))
        const status = await exchange(target, request, signal)
        return { kind: 'answered', status, durationMs: clock() - began }
      } catch (error) {
        if (request.signal.aborted || error instanceof TooLate) return { kind: 'interrupted' }
        const words = signal.aborted ? `There was no answer within ${limitMs / 1_000} seconds.` : inWords(error)
        return { kind: 'unanswered', error: words, durationMs: clock() - began }
      } finally {
        end()
      }
    },
  }
}

interface Target {
  readonly url: URL
  readonly addresses: readonly LookupAddress[]
}

class Refused extends Error {}

/** The request may not begin any more. */
class TooLate extends Error {}

/** Resolves a URL's host once, and refuses it if any of its addresses is forbidden. */
async function checkTarget(text: string, guard: AddressGuard, resolve: NonNullable<OutboundParts['resolve']>): Promise<Target> {
  const [fault] = targetFaults(text, guard)
  if (fault) throw new Refused(fault.detail)
  const url = new URL(text)
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (addresses.length === 0) throw new Refused('The host has no address.')
  if (!addresses.every(({ address }) => guard.allows(host, address))) throw new Refused(privateAddress)
  return { url, addresses }
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return lookUp(host, { all: true })
}

/** Sends a request and resolves with the status once the response has ended or is too long. */
function exchange(target: Target, { headers, body, mayBegin }: OutboundRequest, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const request = open(target, { ...headers, 'content-length': String(bytes.length) }, signal)
    request.on('error', reject)
    request.on('response', (response) => {
      let received = 0
      const done = () => {
        resolve(response.statusCode ?? 0)
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > maxAnswerBytes) done()
      })
      response.on('end', done).on('error', reject)
    })
    request.on('socket', (socket) => {
      const connected = target.url.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(connected, () => (mayBegin() ? request.end(bytes) : request.destroy(new TooLate())))
    })
  })
}

/** Opens a connection to a checked address, without resolving the name again. */
function open({ url, addresses }: Target, headers: Readonly<Record<string, string>>, signal: AbortSignal): ClientRequest {
  const [first] = addresses
  if (first === undefined) throw new Refused('The host has no address.')
  const pinned: LookupFunction = (_, options, found) =>
    options.all ? found(null, [...addresses]) : found(null, first.address, first.family)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return request(url, { method: 'POST', headers, agent: false, lookup: pinned, signal })
}

/** Stops waiting for work that cannot be aborted itself. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The connection could not be made in time.',
  ENOTFOUND: 'The name of the host is unknown.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
}

/** Never includes the URL, whose path may be a secret, nor anything that the receiver sent. */
function inWords(error: unknown): string {
  if (error instanceof Refused) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (/CERT|SSL|TLS|SIGNED|ALTNAME/.test(code)) return `The certificate of the host was not accepted (${code}).`
  if (code.startsWith('HPE_')) return 'The answer was not HTTP.'
  return words[code] ?? `The request failed (${code}).`
}
