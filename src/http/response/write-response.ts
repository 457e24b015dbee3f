import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../actions/action.ts'
import { runDry } from '../../actions/dry-run.ts'
import { idempotent } from '../../actions/idempotency/idempotent-action.ts'
import { erasedWith, showsErased, type WrittenResponse } from '../../actions/idempotency/stored-response.ts'
import { type Read, readBoolean, readFlag, readParameters, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { slicesOfText } from '../../values/code-points.ts'
import { shortTurns } from '../../values/event-loop.ts'
import { Problem } from '../../values/problems.ts'
import { repeatableOf } from '../request/idempotency-key.ts'
import { queryOf } from '../request/query.ts'
import { requireNoBody } from '../request/validate-body.ts'
import type { Service } from '../route-services.ts'
import { tagOf, validatorOfResource } from './etag.ts'

const dryRun = 'dry_run'

/** A write and the response expected of it. */
interface Write<I, R> {
  readonly action: Action<I, R>
  readonly input: I
  readonly response: ExpectedResponse
}

type ExpectedResponse =
  | {
      readonly kind: 'created'
      /** The path of the collection, for `Location`. */
      readonly under: string
      /** The field that is a secret. A stored response encrypts it; a dry run omits it, and every text that contains it. */
      readonly secret?: string
    }
  | { readonly kind: 'written' | 'deleted' }

/** A resource with its own representation. */
interface Resource {
  readonly id: string
  readonly version?: number
  readonly [erasedWith]?: string
}

/** The results of a batch, each with the status that it would have had alone. */
interface BatchResult {
  readonly results: readonly { readonly status: number }[]
  readonly [showsErased]?: true
}

type WriteResult = Resource | BatchResult | undefined

/** What `work` reads from the query of a write, which has its own parameters and those of every write; 400 for any other, and with all faults. */
export function writeQueryOf<T>(request: FastifyRequest, own: readonly string[] = [], work?: (read: Read) => T): T | undefined {
  const query = queryOf(request)
  refuseOtherParameters(query, [...own, dryRun])
  return readParameters(query, (read) => {
    readBoolean(read, dryRun)
    return work?.(read)
  })
}

/** Performs a write and sends its result: once for each `Idempotency-Key`, and without effect with `dry_run=true`. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a result returns nothing.
export async function sendWriteResult<I, R extends WriteResult | void>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, input, response: expected }: Write<I, R>,
): Promise<FastifyReply> {
  const { timing, authenticated, refusal } = request
  const { perform } = service
  const { caller } = authenticated
  const judged = request.routeOptions.config.body === 'none' ? withoutBody(action, request) : action
  timing?.passed('validate')
  if (readFlag(queryOf(request), dryRun)) {
    // It is never a replay, which alone would be free.
    if (refusal) throw refusal
    const result = await runDry(perform, judged, caller, input)
    timing?.passed('action')
    return send(reply, await dryRunResponse(expected, result ?? undefined))
  }
  const repeatable = repeatableOf(request, expected.kind === 'created' && expected.secret !== undefined)
  const allowed: Action<I, R> = refusal ? { name: action.name, run: () => Promise.reject(refusal) } : judged
  const repeatableAction = idempotent(allowed, (result: R) => writeResponse(service, expected, result ?? undefined))
  const { response, replayed } = await perform(repeatableAction, caller, { input, repeatable })
  timing?.passed('action')
  if (replayed) reply.header('idempotency-replayed', 'true')
  return send(reply, response)
}

/** The action of an operation that takes no body. A body is refused in its turn: after 404 and 412, before 409, and nothing of it is kept. */
function withoutBody<I, R>({ name, run }: Action<I, R>, request: FastifyRequest): Action<I, R> {
  return {
    name,
    async run(...args) {
      const result = await run(...args).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 409) requireNoBody(request)
        throw error
      })
      requireNoBody(request)
      return result
    },
  }
}

async function send(reply: FastifyReply, { status, headers, body }: WrittenResponse): Promise<FastifyReply> {
  reply.code(status).headers(headers).header('cache-control', 'no-store')
  if (body === '') return reply.send()
  const bytes = body.length > mostEncodedAtOnce ? await encoded(body) : body
  return reply.type('application/json; charset=utf-8').send(bytes)
}

/** UTF-16 units; encoding them takes some milliseconds. */
const mostEncodedAtOnce = 2 ** 20

/** A long text in UTF-8. Others are answered between its parts. */
async function encoded(text: string): Promise<Buffer> {
  const giveWay = shortTurns()
  const parts: Buffer[] = []
  for (const slice of slicesOfText(text, mostEncodedAtOnce)) {
    await giveWay()
    parts.push(Buffer.from(slice))
  }
  return Buffer.concat(parts)
}

async function writeResponse({ basePath, epoch }: Service, expected: ExpectedResponse, result: WriteResult): Promise<WrittenResponse> {
  if (expected.kind === 'deleted') return noContent
  if (result === undefined) throw new Error('a write that should return a result returned none')
  if ('results' in result) return batchResponse(result)
  const body = JSON.stringify(result)
  const headers = {
    ...(result.version !== undefined && { etag: tagOf(validatorOfResource(epoch, result, body), 'identity') }),
    ...(expected.kind === 'created' && { location: `${basePath}${expected.under}/${result.id}` }),
  }
  return { status: expected.kind === 'created' ? 201 : 200, headers, body, resourceId: result[erasedWith] ?? result.id }
}

/** The response to a dry run, without `Location` and `ETag`, because the resource does not exist: docs/reference/api.md#dry-run. */
async function dryRunResponse(expected: ExpectedResponse, result: WriteResult): Promise<WrittenResponse> {
  if (expected.kind === 'deleted' || result === undefined) return noContent
  if ('results' in result) return batchResponse(result)
  const field = expected.kind === 'created' ? expected.secret : undefined
  const secret = field === undefined ? undefined : (result as unknown as Readonly<Record<string, unknown>>)[field]
  const hasSecret = (value: unknown) => typeof secret === 'string' && typeof value === 'string' && value.includes(secret)
  const body = JSON.stringify(result, (_, value) => (hasSecret(value) ? undefined : value))
  return { status: 200, headers: {}, body, resourceId: null }
}

const noContent: WrittenResponse = { status: 204, headers: {}, body: '', resourceId: null }

/** A hundred posts can have 100 MB: others are answered between them. */
async function batchResponse({ results, [showsErased]: isErased }: BatchResult): Promise<WrittenResponse> {
  const status = results.every((each) => each.status < 400) ? 200 : 207
  const giveWay = shortTurns()
  const serialised: string[] = []
  for (const result of results) {
    await giveWay()
    serialised.push(JSON.stringify(result))
  }
  return { status, headers: {}, body: `{"results":[${serialised.join()}]}`, resourceId: '', ...(isErased && { isErased }) }
}
