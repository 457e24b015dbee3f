import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Coding } from '../content-coding.ts'
import { codingOf } from '../response/compression.ts'
import type { Service } from '../route-services.ts'
import { CachedResponse } from './cached-response.ts'
import type { KeptAnswer, ResponseKey } from './response-cache.ts'

const json = 'application/json; charset=utf-8'

/** How the tag of an answer follows from what is wanted. It is kept with the answer, so it should hold nothing large. */
type TagOf = (wanted: Coding) => string

/** Sends JSON that holds until the log moves, and keeps it for those who ask the same with the same rights. */
export async function sendKept(
  { answers, durability }: Pick<Service, 'answers' | 'durability'>,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: TagOf,
  body: string | Buffer,
): Promise<FastifyReply> {
  reply.type(json)
  if (request.authenticated.caller.kind === 'preview') return reply.send(body)
  const made = answerOf(request, reply, tag, typeof body === 'string' ? Buffer.from(body) : body)
  // What was written since the authenticated was looked up may be in these bytes, and is not in its revision.
  const isOfVisit = durability?.readable() === request.authenticated.state
  const answer = isOfVisit ? answers.keep(keyOf(request), made) : made
  const { etag, coding, body: coded } = await answers.formOf(answer, codingOf(request))
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.header('etag', etag).send(coded)
}

/** Tells a client that it has the answer, and keeps that: whoever has it goes on asking whether it is still so. */
export async function sendUnmodified(
  { answers, durability }: Pick<Service, 'answers' | 'durability'>,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: TagOf,
): Promise<FastifyReply> {
  if (request.authenticated.caller.kind !== 'preview' && durability?.readable() === request.authenticated.state) {
    const answer = answers.keep(keyOf(request), answerOf(request, reply, tag, undefined))
    if (!answer.forms.isWhole) await answers.formOf(answer, codingOf(request))
  }
  return reply.code(304).send()
}

function keyOf({ authenticated, raw }: FastifyRequest): ResponseKey {
  return { view: authenticated.view, url: raw.url ?? '' }
}

function answerOf({ authenticated, routeOptions }: FastifyRequest, reply: FastifyReply, tag: TagOf, bytes: Buffer | undefined): KeptAnswer {
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'x-request-id' && name !== 'etag')
  const forms = new CachedResponse({ bytes, headers: headers.flatMap(([name, value]) => [name, String(value)]), tag })
  return { revision: authenticated.revision, route: routeOptions.url ?? '', forms }
}
