import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const access = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-central-1' }

/** What the double does instead of answering a request as it should. */
type Misbehaviour = '403' | '500' | '503' | 'reset' | 'hang' | 'cut' | 'error in 200' | 'forget the upload'

type Decide = (request: string) => Misbehaviour | undefined | Promise<undefined>

export interface S3Double {
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** `GET key`, `PUT key ?partNumber=1&…`, in the order of arrival. */
  readonly requests: string[]
  /** Uploads that were begun and neither completed nor aborted. */
  readonly open: Map<string, Map<number, Buffer>>
  /** Decides for each request, before it is carried out. */
  misbehave(decide: Decide): void
}

/** S3 as far as backups use it, by paths under one bucket, refusing what is not signed as the specification says. */
export async function startS3(bucket = 'backups', pageSize = 2): Promise<S3Double> {
  const objects = new Map<string, Buffer>()
  const open = new Map<string, Map<number, Buffer>>()
  const requests: string[] = []
  let decide: Decide = () => undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3')
    const body = await bodyOf(request)
    const fault = signatureFault(request, url, body)
    if (fault !== undefined) return void refuse(response, 403, 'SignatureDoesNotMatch', fault)
    const [, first = '', ...rest] = url.pathname.split('/')
    if (first !== bucket) return void refuse(response, 404, 'NoSuchBucket', first)
    const key = decodeURIComponent(rest.join('/'))
    const name = `${request.method} ${key}${url.search && ` ${url.search}`}`
    requests.push(name)
    const instead = await decide(name)
    if (instead === '403') return void refuse(response, 403, 'AccessDenied', 'Access denied.')
    if (instead === '500' || instead === '503')
      return void refuse(response, Number(instead), 'SlowDown', 'Please reduce your request rate.')
    if (instead === 'reset') return void request.socket.destroy()
    if (instead === 'hang') return
    carryOut({ request, response, url, body, key, instead })
  }

  interface Asked {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly url: URL
    readonly body: Buffer
    readonly key: string
    readonly instead: Misbehaviour | undefined
  }

  function carryOut({ request, response, url, body, key, instead }: Asked): void {
    const query = url.searchParams
    const uploadId = query.get('uploadId')
    const upload = uploadId === null ? undefined : open.get(uploadId)
    if (uploadId !== null && !upload) return void refuse(response, 404, 'NoSuchUpload', uploadId)
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `up+load/${open.size + requests.length}`
      open.set(id, new Map())
      return void response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'PUT' && upload) {
      upload.set(Number(query.get('partNumber')), body)
      return void response.writeHead(200, { etag: `"${md5(body)}"` }).end()
    }
    if (request.method === 'POST' && upload) {
      if (instead === 'error in 200') return void response.end('<Error><Code>InternalError</Code><Message>again</Message></Error>')
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g)]
      const parts = named.map(([, part, tag]) => ({ part: Number(part), tag, bytes: upload.get(Number(part)) }))
      const isInOrder = parts.every(({ part, tag, bytes }, i) => part === i + 1 && bytes && md5(bytes) === tag)
      if (!isInOrder || parts.length !== upload.size) return void refuse(response, 400, 'InvalidPart', 'order or ETag')
      const small = parts.slice(0, -1).some(({ bytes }) => (bytes?.length ?? 0) < 5 * 1024 * 1024)
      if (small) return void refuse(response, 400, 'EntityTooSmall', 'a part')
      objects.set(key, Buffer.concat(parts.map(({ bytes }) => bytes ?? Buffer.alloc(0))))
      open.delete(uploadId ?? '')
      if (instead === 'forget the upload') return void request.socket.destroy()
      return void response.end('<CompleteMultipartUploadResult/>')
    }
    if (request.method === 'DELETE') {
      if (uploadId !== null) open.delete(uploadId)
      else objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (request.method === 'GET' && query.get('list-type') === '2') return void list(response, query)
    const object = objects.get(key)
    if (!object) return void refuse(response, 404, 'NoSuchKey', `The key ${key} does not exist & never did.`)
    send(request, response, { object, isCut: instead === 'cut' })
  }

  function list(response: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = found.slice(0, pageSize)
    const keys = page.map((key) => `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key></Contents>`).join('')
    const next = found.length > page.length ? `<NextContinuationToken>${page.at(-1)?.replaceAll('&', '&amp;')}</NextContinuationToken>` : ''
    response.end(`<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${keys}</ListBucketResult>`)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    requests,
    open,
    misbehave: (next) => {
      decide = next
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, { object, isCut }: { object: Buffer; isCut: boolean }): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const etag = `"${md5(object)}"`
  const expected = request.headers['if-match']
  if (expected !== undefined && expected !== etag) return void refuse(response, 412, 'PreconditionFailed', 'another object')
  const rest = object.subarray(start)
  response.writeHead(start > 0 ? 206 : 200, { etag, 'content-length': rest.length })
  if (request.method === 'HEAD') return void response.end()
  if (!isCut) return void response.end(rest)
  response.write(rest.subarray(0, Math.ceil(rest.length / 3)), () => request.socket.destroy())
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const text = message.replaceAll('&', '&amp;')
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${text}</Message></Error>`)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** Signature Version 4, worked out from the request alone (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': bodyHash } = request.headers as Record<string, string>
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!parts) return 'not signed'
  const [, id, day = '', region = '', signedHeaders = '', signature] = parts
  if (id !== access.accessKeyId || region !== access.region || !date.startsWith(day)) return 'another key, region or day'
  if (bodyHash !== sha256(body)) return 'another body'
  const names = signedHeaders.split(';')
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256']) if (!names.includes(name)) return `${name} is not signed`
  const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const path = url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join('')
  const canonical = [request.method, path, query, headers, signedHeaders, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${access.secretAccessKey}`, day), region), 's3'), 'aws4_request')
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
  return expected === signature ? undefined : `the signature of ${canonical}`
}
