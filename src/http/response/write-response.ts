import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../actions/action.ts'
import { rehearse } from '../../actions/dry-run.ts'
import { once } from '../../actions/idempotency/idempotent-action.ts'
import type { WrittenAnswer } from '../../actions/idempotency/stored-response.ts'
import type { QueryParams } from '../../lists/list-spec.ts'
import { readFlag, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { repeatableOf } from '../request/idempotency-key.ts'
import { queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { type Shape, type Shown, toldOf, triedOf } from './written-answers.ts'

const dryRun = 'dry_run'

/** A write, and how its result is told. */
interface Write<I, R> {
  readonly action: Action<I, R>
  readonly input: I
  readonly shape: Shape
}

/** The query of a write, which takes these parameters and those that every write takes; 400 where there are others. */
export function writeQueryOf(request: FastifyRequest, known: readonly string[] = []): QueryParams {
  const query = queryOf(request)
  refuseOtherParameters(query, [...known, dryRun])
  return query
}

/** Does what is asked, once however often it is asked with an `Idempotency-Key`, or only tries it with `dry_run=true`, and answers. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action that leaves nothing to be shown returns nothing.
export async function answerWrite<I, R extends Shown | void>(
  { perform, basePath }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, input, shape }: Write<I, R>,
): Promise<FastifyReply> {
  const { timing, visit } = request
  const { caller } = visit
  timing?.passed('validate')
  if (readFlag(queryOf(request), dryRun)) {
    const shown = await rehearse(perform, action, caller, input)
    timing?.passed('action')
    return send(reply, triedOf(shape, shown ?? undefined))
  }
  const repeatable = repeatableOf(request, shape.kind === 'created' && shape.secret !== undefined)
  const doing = once(action, (shown: R) => toldOf(shape, basePath, shown ?? undefined))
  const { answer, replayed } = await perform(doing, caller, { input, repeatable })
  timing?.passed('action')
  if (replayed) reply.header('idempotency-replayed', 'true')
  return send(reply, answer)
}

function send(reply: FastifyReply, { status, headers, body }: WrittenAnswer): FastifyReply {
  reply.code(status).headers(headers).header('cache-control', 'no-store')
  return body === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}
