import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Wanted } from './accept-encoding.ts'
import { wantedBy } from './answer-coding.ts'
import { AnswerForms } from './answer-forms.ts'
import type { Service } from './service.ts'

const json = 'application/json; charset=utf-8'

/** Sends JSON that holds until the log moves, and keeps it for those who ask the same with the same rights. */
export async function sendKept(
  { answers, durability }: Pick<Service, 'answers' | 'durability'>,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: (wanted: Wanted) => string,
  body: string | Buffer,
): Promise<FastifyReply> {
  reply.type(json)
  const { visit, raw, routeOptions } = request
  if (visit.caller.kind === 'preview') return reply.send(body)
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'x-request-id' && name !== 'etag')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const forms = new AnswerForms({ bytes, headers: headers.flatMap(([name, value]) => [name, String(value)]), tag })
  const made = { revision: visit.revision, route: routeOptions.url ?? '', forms }
  // What was written since the visit was looked up may be in these bytes, and is not in its revision.
  const isOfVisit = durability?.readable() === visit.state
  const answer = isOfVisit ? answers.keep({ view: visit.view, url: raw.url ?? '' }, made) : made
  const { etag, coding, body: coded } = await answers.formOf(answer, wantedBy(request))
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.header('etag', etag).send(coded)
}
