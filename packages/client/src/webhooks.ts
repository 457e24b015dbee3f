import type { WebhookEvent } from './api.ts'

export type * from './api.ts'

/** A request that was not sent by who has the secret, or not just now. */
export class UnverifiedWebhook extends Error {
  override readonly name = 'UnverifiedWebhook'
}

export interface VerifyOptions {
  /** How old or how far ahead the signature may be; 300 if left out. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970; the clock if left out. */
  readonly now?: number
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as `fetch` has it, or its headers and its body, byte for byte. */
export type ReceivedWebhook = Request | { readonly headers: HeaderValues; readonly body: string | Uint8Array<ArrayBuffer> }

/**
 * Verifies the signature of a webhook (Standard Webhooks) and returns its event. While secrets are rotated, give both.
 * An event can come twice, with the same header `webhook-id`.
 */
export async function verifyWebhook(
  received: ReceivedWebhook,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string) => headerOf(received.headers, name)
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new UnverifiedWebhook('The header webhook-timestamp is missing, or too far from now.')
  const body = await bytesOf(received)
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const signatures = header('webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
  for (const secret of [secrets].flat()) {
    // A variable of the environment may be missing.
    const bytes = fromBase64(secret?.replace(/^whsec_/, '') ?? '')
    if (bytes.length === 0) throw new TypeError('The secret of a webhook is whsec_ and base64.')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, fromBase64(signature.slice(3)), signed)) return JSON.parse(new TextDecoder().decode(body))
  }
  throw new UnverifiedWebhook('No signature of this webhook is valid.')
}

function headerOf(headers: HeaderValues, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.join(' ') ?? '')
}

async function bytesOf(received: ReceivedWebhook): Promise<Uint8Array<ArrayBuffer>> {
  if (received instanceof Request) return new Uint8Array(await received.arrayBuffer())
  const { body } = received
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function join(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** What is no base64 is no signature, and no secret either. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
