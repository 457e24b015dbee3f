import type { TSchema } from 'typebox'
import { type AnswerHeader, headersNamed } from './documented-headers.ts'
import type { ByName, JsonSchema, Response } from './openapi-types.ts'
import type { Operation } from './operation.ts'
import type { DocumentedRoute } from './route-collector.ts'

/** An answer that was really given, by the status that it had. */
type AnswerSamples = Readonly<Record<number, unknown>>

/** The responses of an operation that are no problems, by status. */
export function answersOf(route: DocumentedRoute, referSchema: (schema: TSchema) => JsonSchema, samples: AnswerSamples): ByName<Response> {
  const responses = Object.entries(withTried(route)).map(([status, shape]) => {
    const code = Number(status)
    const content = shape && contentOf(shape, referSchema, samples[code] ?? sampleLike(shape, samples))
    return [status, { description: descriptionOf(route, code), headers: headersNamed(...headersOf(route, code, shape)), ...content }]
  })
  return Object.fromEntries(responses)
}

/** What is created can be tried first, and is then shown with 200. */
function withTried({ operation: { responses } }: DocumentedRoute): Operation['responses'] {
  return responses[201] ? { 200: responses[201], ...responses } : responses
}

/** What the one request that was made was answered, as far as an answer of this shape shows it. */
function sampleLike({ properties }: JsonSchema, samples: AnswerSamples): unknown {
  const [sample] = Object.values(samples)
  if (typeof sample !== 'object' || sample === null) return undefined
  return Object.fromEntries(Object.entries(sample).filter(([name]) => properties && name in properties))
}

function contentOf(shape: TSchema, referSchema: (schema: TSchema) => JsonSchema, sample: unknown): Pick<Response, 'content'> {
  const { contentMediaType = 'application/json' }: JsonSchema = shape
  return { content: { [contentMediaType]: { schema: referSchema(shape), ...(sample !== undefined && { example: sample }) } } }
}

function headersOf({ method, access, operation }: DocumentedRoute, status: number, shape: TSchema | null): readonly AnswerHeader[] {
  const writes = method !== 'get' && access === 'key'
  const tagged = method === 'get' && 304 in operation.responses && (status === 200 || status === 304)
  return [
    ...(method === 'get' && status === 200 ? (['Content-Encoding'] as const) : []),
    ...(tagged ? (['ETag'] as const) : []),
    ...(writes && isVersioned(shape) ? ([status === 201 ? 'ETag' : 'ETag-Of-Written'] as const) : []),
    ...(writes ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.list && status === 200 ? (['Link'] as const) : []),
    ...(status === 201 || status === 301 ? (['Location'] as const) : []),
    ...(status === 503 ? (['Retry-After'] as const) : []),
    'Cache-Control',
    ...(access === 'key' ? (['Vary', 'Access-Control-Allow-Origin', 'Preference-Applied', 'Server-Timing'] as const) : []),
    'X-Request-Id',
  ]
}

function isVersioned(shape: JsonSchema | null): boolean {
  return shape?.properties !== undefined && 'version' in shape.properties
}

function descriptionOf({ method, operation }: DocumentedRoute, status: number): string {
  switch (status) {
    case 201:
      return 'Created. This is what it is now.'
    case 204:
      return 'Done. There is nothing left to show.'
    case 207:
      return 'Some of it was done. `results` tells what became of each operation.'
    case 301:
      return 'It has another slug by now; `Location` has it.'
    case 304:
      return 'What you have is still right.'
    case 503:
      return 'Not ready to serve.'
    default:
      if (operation.list) return 'A page of the list.'
      if (method === 'get') return 'Here it is.'
      return operation.responses[201] ? 'Only tried (`dry_run`). This is what it would be.' : 'Done. This is what it is now.'
  }
}
