import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { S3Failed } from './backup-errors.ts'

/** How to reach a bucket. */
export interface S3Settings {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  readonly region: string
  /** Another service than Amazon's, which is asked by paths (`https://host/bucket/key`). */
  readonly endpoint: URL | undefined
}

/** How long requests may take and failed ones wait; tests shorten both. */
export interface S3Patience {
  readonly timeoutMs: number
  pause(ms: number): Promise<void>
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Within the bucket; '' for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
}

export type SendToS3 = (request: S3Request) => Promise<Response>

export const maxTries = 5
const firstPauseMs = 500

/** Sends signed requests (AWS Signature Version 4) to a bucket, and again where the service or the connection fails. */
export function s3Requests(bucket: string, settings: S3Settings, patience: S3Patience): SendToS3 {
  const { accessKeyId, secretAccessKey, sessionToken, region } = settings
  const signer = new AwsClient({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }), service: 's3', region })
  const base = baseOf(bucket, settings)
  return async ({ method, key, query, headers, body }) => {
    const what = `${method} s3://${bucket}/${key}`
    const url = urlOf(base, key, query)
    // The service refuses a body that was changed on its way.
    const signed = { ...headers, 'x-amz-content-sha256': sha256(body ?? '') }
    for (let tries = 1; ; tries++) {
      const request = await signer.sign(url, { method, headers: signed, redirect: 'manual', ...(body !== undefined && { body }) })
      const answered = await fetch(request, { signal: AbortSignal.timeout(patience.timeoutMs) }).catch((error: unknown) => reasonOf(error))
      const isLast = tries === maxTries
      if (typeof answered === 'string') {
        if (isLast) throw new S3Failed(`${what} failed: ${answered}.`)
      } else {
        if (answered.ok) return answered
        if (isLast || !isPassing(answered.status)) throw await refusal(what, answered)
        await answered.body?.cancel()
      }
      await patience.pause(firstPauseMs * 2 ** (tries - 1))
    }
  }
}

function baseOf(bucket: string, { endpoint, region }: S3Settings): string {
  if (endpoint === undefined) return `https://${bucket}.s3.${region}.amazonaws.com/`
  return `${endpoint.href.replace(/(?<!\/)\/+$/, '')}/${encodeURIComponent(bucket)}/`
}

function urlOf(base: string, key: string, query: S3Request['query'] = {}): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const search = new URLSearchParams(query).toString()
  return `${base}${path}${search && `?${search}`}`
}

/** The service is overloaded or broken at the moment. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

async function refusal(what: string, response: Response): Promise<S3Failed> {
  const text = await response.text().catch(() => '')
  const said = [elementOf(text, 'Code'), elementOf(text, 'Message')].filter((each) => each !== undefined).join(': ')
  const elsewhere = response.status === 301 || response.status === 307 ? ' The bucket is in another region: set AWS_REGION.' : ''
  return new S3Failed(`${what} was answered ${response.status}${said && ` (${said})`}.${elsewhere}`, response.status)
}

/** The text of the first element of this name in an answer. */
export function elementOf(xml: string, name: string): string | undefined {
  return elementsOf(xml, name)[0]
}

export function elementsOf(xml: string, name: string): readonly string[] {
  return xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => unescaped(rest.slice(0, Math.max(0, rest.indexOf(`</${name}>`)))))
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#34;': '"', '&amp;': '&' }
  return text.replace(/&(?:lt|gt|quot|apos|#34|amp);/g, (entity) => entities[entity] ?? entity)
}

/** What went wrong with a connection, in the words of the innermost error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name
}

function sha256(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('hex')
}
