import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AtRevision, type Reads, readsFor } from '../../lists/read-at-revision.ts'
import { version } from '../../values/version.ts'
import type { Body } from '../body.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { formatQuery, pathOf, queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { tagOf, validatorOf, validatorOfBytes } from './etag.ts'
import { keyOf, sendAndCache, sendNotModified, sendUncached, sendVariant, setCaching, setTag, type TagOf, untilGone } from './responses.ts'

/** A document made from the posts of a project, such as a feed. */
interface Document {
  /** Its media type; it is UTF-8. */
  readonly type: string
  read(reads: Reads): Promise<AtRevision<Body>>
}

/** Sends a document. Like a list, it has the ETag of the revision that it was read at, and a 304 needs no reading. */
export async function sendDocument(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { type, read }: Document,
): Promise<FastifyReply> {
  const { caller, revision } = request.authenticated
  const contentType = `${type}; charset=utf-8`
  const asked = `${pathOf(request)}${formatQuery(queryOf(request))}`
  const tagAt = (seen: number): TagOf => {
    const validator = validatorOf(version, service.epoch, service.publicUrl(), [caller.projectId, seen], asked)
    return (coding) => tagOf(validator, coding)
  }
  setCaching(reply, caller, service.sharedMaxAgeSeconds)
  if (setTag(request, reply, tagAt(revision))) return sendNotModified(service, request, reply, tagAt(revision))
  const cached = service.responses.find(keyOf(request), revision)
  const variant = cached && (await service.responses.variantOf(keyOf(request), cached, codingOf(request.raw)))
  if (variant?.body) return sendVariant(reply.type(contentType), variant)
  const reads = readsFor(service, request.authenticated, () => untilGone(request, reply))
  const { value: bytes, revision: seen, isTransient } = await read(reads)
  if (isTransient) return sendUncached(request, reply, { bytes, validator: await validatorOfBytes(bytes), type: contentType })
  return sendAndCache(service, request, reply, { tag: tagAt(seen), bytes, revision: seen, type: contentType })
}
