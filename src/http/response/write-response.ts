import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../actions/action.ts'
import { runDry } from '../../actions/dry-run.ts'
import { idempotent } from '../../actions/idempotency/idempotent-action.ts'
import type { WrittenResponse } from '../../actions/idempotency/stored-response.ts'
import type { QueryParams } from '../../lists/list-spec.ts'
import { readFlag, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { repeatableOf } from '../request/idempotency-key.ts'
import { queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { tagOf, validatorOfResource } from './etag.ts'

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
export async function sendWriteResult<I, R extends Shown | void>(
  { perform, basePath }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, input, shape }: Write<I, R>,
): Promise<FastifyReply> {
  const { timing, authenticated } = request
  const { caller } = authenticated
  timing?.passed('validate')
  if (readFlag(queryOf(request), dryRun)) {
    const shown = await runDry(perform, action, caller, input)
    timing?.passed('action')
    return send(reply, triedOf(shape, shown ?? undefined))
  }
  const repeatable = repeatableOf(request, shape.kind === 'created' && shape.secret !== undefined)
  const doing = idempotent(action, (shown: R) => toldOf(shape, basePath, shown ?? undefined))
  const { response, replayed } = await perform(doing, caller, { input, repeatable })
  timing?.passed('action')
  if (replayed) reply.header('idempotency-replayed', 'true')
  return send(reply, response)
}

function send(reply: FastifyReply, { status, headers, body }: WrittenResponse): FastifyReply {
  reply.code(status).headers(headers).header('cache-control', 'no-store')
  return body === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}

/** How the result of a write is told: plain data, so that it can go wherever the write is done. */
type Shape =
  | {
      readonly kind: 'created'
      /** The path under which the resource has its own, by its id. */
      readonly under: string
      /** The field that is a secret: never stored as it is. Neither it nor what holds it is shown of what was only tried. */
      readonly secret?: string
    }
  | { readonly kind: 'written' | 'deleted' }

/** What has a representation of its own. */
export interface Resource {
  readonly id: string
  readonly version?: number
}

/** Several outcomes in one answer, each with the status that it would have had alone. */
interface Outcomes {
  readonly results: readonly { readonly status: number }[]
}

/** What an action can leave to be shown. */
type Shown = Resource | Outcomes | undefined

/** The answer to a write that was done. */
function toldOf(shape: Shape, basePath: string, shown: Shown): WrittenResponse {
  if (shape.kind === 'deleted') return nothing
  if (shown === undefined) throw new Error('a write that shows something showed nothing')
  if ('results' in shown) return toldTogether(shown)
  const body = JSON.stringify(shown)
  const headers = {
    ...(shown.version !== undefined && { etag: tagOf(validatorOfResource(shown, body), 'identity') }),
    ...(shape.kind === 'created' && { location: `${basePath}${shape.under}/${shown.id}` }),
  }
  return { status: shape.kind === 'created' ? 201 : 200, headers, body, resourceId: shown.id }
}

/** The response to a dry run, without `Location` and `ETag`, because the resource does not exist: docs/reference/api.md#dry-run. */
function triedOf(shape: Shape, shown: Shown): WrittenResponse {
  if (shape.kind === 'deleted' || shown === undefined) return nothing
  if ('results' in shown) return toldTogether(shown)
  const secret = shape.kind === 'created' ? shape.secret : undefined
  const hidden = secret === undefined ? undefined : (shown as unknown as Readonly<Record<string, unknown>>)[secret]
  const holdsSecret = (value: unknown) => typeof hidden === 'string' && typeof value === 'string' && value.includes(hidden)
  const body = JSON.stringify(shown, (_, value) => (holdsSecret(value) ? undefined : value))
  return { status: 200, headers: {}, body, resourceId: null }
}

const nothing: WrittenResponse = { status: 204, headers: {}, body: '', resourceId: null }

function toldTogether(outcomes: Outcomes): WrittenResponse {
  const status = outcomes.results.every((each) => each.status < 400) ? 200 : 207
  return { status, headers: {}, body: JSON.stringify(outcomes), resourceId: '' }
}
