import { S3Failed } from './backup-errors.ts'
import type { BackupFile, BackupFolder } from './backup-place.ts'
import { elementOf, elementsOf, maxTries, reasonOf, type S3Patience, type S3Settings, type SendToS3, s3Requests } from './s3-requests.ts'

/** Parts of an upload: one is in memory and one on its way. A service takes 10,000 of them, which is 160 GB. */
const partBytes = 16 * 1024 * 1024

/** Backups in a bucket. An upload becomes an object when all of it is there, so nobody sees half of one. */
export interface S3Place {
  file(key: string): BackupFile
  read(key: string): AsyncIterable<Uint8Array>
  folder(prefix: string): BackupFolder
}

interface S3Parts {
  readonly bucket: string
  readonly settings: S3Settings
  readonly patience: S3Patience
}

export function openS3({ bucket, settings, patience }: S3Parts): S3Place {
  const send = s3Requests(bucket, settings, patience)
  const nameOf = (key: string) => `s3://${bucket}/${key}`
  const read = (key: string) => readObject({ send, patience, name: nameOf(key) }, key)
  const file = (key: string) => uploadedFile(send, { key, name: nameOf(key), read: () => read(key) })
  return {
    file,
    read,
    folder: (prefix) => ({
      name: nameOf(prefix),
      list: () => listObjects(send, prefix),
      file: (name) => file(`${prefix}${name}`),
      remove: async (name) => void (await send({ method: 'DELETE', key: `${prefix}${name}` })),
    }),
  }
}

function uploadedFile(send: SendToS3, { key, name, read }: Pick<BackupFile, 'name' | 'read'> & { readonly key: string }): BackupFile {
  let uploadId: string | undefined
  let isComplete = false
  return {
    name,
    read,
    async write(bytes) {
      if (await isTaken(send, key)) throw new S3Failed(`${name} exists already; choose another name, or a folder (s3://…/).`)
      const begun = await send({ method: 'POST', key, query: { uploads: '' } })
      uploadId = elementOf(await begun.text(), 'UploadId')
      if (uploadId === undefined) throw new S3Failed(`${name}: the service named no upload.`)
      const tags = await sendParts(send, { key, uploadId }, bytes)
      await complete(send, { key, uploadId, name }, tags)
      isComplete = true
    },
    commit: async () => undefined,
    async discard() {
      if (isComplete) await send({ method: 'DELETE', key })
      else if (uploadId !== undefined) await send({ method: 'DELETE', key, query: { uploadId } })
    },
  }
}

/** The upload would replace the object before the new one is verified. Without the right to list the bucket, a missing one is 403. */
function isTaken(send: SendToS3, key: string): Promise<boolean> {
  return send({ method: 'HEAD', key }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof S3Failed && (error.status === 404 || error.status === 403)) return false
      throw error
    },
  )
}

interface Upload {
  readonly key: string
  readonly uploadId: string
}

/** Sends the parts one after the other. Returns their ETags. */
async function sendParts(send: SendToS3, { key, uploadId }: Upload, bytes: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const tags: string[] = []
  for await (const body of partsOf(bytes)) {
    const query = { partNumber: String(tags.length + 1), uploadId }
    const sent = await send({ method: 'PUT', key, query, body })
    tags.push(sent.headers.get('etag') ?? '')
  }
  return tags
}

/** Bytes in parts of the same size, but for the last one. There is one even of nothing. */
async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  let isAny = false
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length; ) {
      const next = chunk.subarray(taken, taken + partBytes - filled)
      part.set(next, filled)
      filled += next.length
      taken += next.length
      if (filled < partBytes) continue
      yield part
      isAny = true
      part = new Uint8Array(partBytes)
      filled = 0
    }
  }
  if (filled > 0 || !isAny) yield part.slice(0, filled)
}

async function complete(
  send: SendToS3,
  { key, uploadId, name }: Upload & { readonly name: string },
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`)
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const headers = { 'content-type': 'application/xml' }
  const answered = await send({ method: 'POST', key, query: { uploadId }, body, headers }).catch(ignoreNoUpload)
  const answer = (await answered?.text()) ?? ''
  // The service may begin to answer 200 before it has failed.
  if (answer.includes('<Error>'))
    throw new S3Failed(`${name} could not be put together (${elementOf(answer, 'Code')}: ${elementOf(answer, 'Message')}).`)
}

/** An earlier try may have been done and its answer lost. Reading the object back tells. */
function ignoreNoUpload(error: unknown): undefined {
  if (!(error instanceof S3Failed && error.message.includes('NoSuchUpload'))) throw error
}

interface Reading {
  readonly send: SendToS3
  readonly patience: S3Patience
  readonly name: string
}

/** Reads an object, and goes on where a connection was cut. */
async function* readObject({ send, patience, name }: Reading, key: string): AsyncGenerator<Uint8Array> {
  let position = 0
  let tag: string | undefined
  for (let failures = 0; ; ) {
    const range = { ...(position > 0 && { range: `bytes=${position}-` }), ...(tag && { 'if-match': tag }) }
    const response = await send({ method: 'GET', key, headers: range })
    if (position > 0 && response.status !== 206) throw new S3Failed(`${name} cannot be read in parts.`)
    tag = response.headers.get('etag') ?? undefined
    try {
      for await (const chunk of response.body ?? []) {
        yield chunk
        position += chunk.length
        failures = 0
      }
      return
    } catch (error) {
      if (++failures === maxTries) throw new S3Failed(`${name} cannot be read: ${reasonOf(error)}.`)
      await patience.pause(500 * failures)
    }
  }
}

/** The names of the objects right under a prefix. */
async function listObjects(send: SendToS3, prefix: string): Promise<readonly string[]> {
  const names: string[] = []
  let next: string | undefined
  do {
    const query = { 'list-type': '2', delimiter: '/', ...(prefix && { prefix }), ...(next && { 'continuation-token': next }) }
    const answer = await (await send({ method: 'GET', key: '', query })).text()
    names.push(...elementsOf(answer, 'Key').map((key) => key.slice(prefix.length)))
    next = elementOf(answer, 'NextContinuationToken')
  } while (next !== undefined)
  return names
}
