import type { TSchema } from 'typebox'
import { type ProblemCode, problems } from '../../values/problems.ts'
import { type AnswerHeader, headersNamed } from './documented-headers.ts'
import type { ByName, JsonSchema, Ref, Response } from './openapi-types.ts'
import { problemMeanings } from './problem-meanings.ts'
import { ProblemDocument } from './problem-schema.ts'
import type { DocumentedRoute } from './route-collector.ts'

/** What HTTP itself and our own faults can bring about on every path. */
const everywhere: readonly ProblemCode[] = ['malformed_request', 'request_timeout', 'uri_too_long', 'headers_too_large', 'internal']
const withKey: readonly ProblemCode[] = ['unknown_parameter', 'unauthenticated', 'invalid_key', 'insufficient_scope', 'not_acceptable']
const ofDatabase: readonly ProblemCode[] = ['overloaded', 'database_unavailable', 'shutting_down']
const ofWrites: readonly ProblemCode[] = ['storage_full', 'outcome_unknown']
/** Of what may be tried first, and repeated: a repeat is 404 where what the first made was erased since. */
const ofRepeats: readonly ProblemCode[] = ['invalid_parameter', 'not_found', 'idempotency_key_reused', 'idempotency_in_progress']
/** Of every method that may carry a body, wanted or not. */
const ofBodies: readonly ProblemCode[] = ['malformed_json', 'body_too_large', 'unsupported_content_type']
const ofLists: readonly ProblemCode[] = ['invalid_parameter', 'invalid_cursor']

/** Every problem that an operation can answer, in the order of the closed list: what it says itself, and what its kind of route brings. */
export function problemsOf({ method, access, body, operation }: DocumentedRoute): readonly ProblemCode[] {
  const { list, flags, texts, numbers, problems: own = [] } = operation
  const possible = new Set([
    ...everywhere,
    ...(access === 'key' ? [...withKey, ...ofDatabase] : []),
    ...(method === 'get' ? [] : [...ofWrites, ...ofBodies]),
    ...(method !== 'get' && access === 'key' ? ofRepeats : []),
    ...(body === 'none' ? [] : (['validation_failed'] as const)),
    ...(list ? ofLists : []),
    ...(flags || texts || numbers ? (['invalid_parameter'] as const) : []),
    ...own,
  ])
  return allCodes.filter((code) => possible.has(code))
}

const allCodes = Object.keys(problems) as ProblemCode[]

/** Gathers the problem answers of all operations, each set of codes once. */
export interface ProblemAnswers {
  /** The answers by status. */
  refer(codes: readonly ProblemCode[]): ByName<Ref>
  all(): ByName<Response>
}

export function collectProblemAnswers(referSchema: (schema: TSchema) => JsonSchema, examples: ByName<unknown>): ProblemAnswers {
  const problem = referSchema(ProblemDocument)
  const found = new Map<string, Response>()
  return {
    refer(codes) {
      const statuses = [...new Set(codes.map((code) => problems[code].status))]
      return Object.fromEntries(
        statuses.map((status) => {
          const some = codes.filter((code) => problems[code].status === status)
          const name = some.join('-or-')
          found.set(name, problemAnswer(status, some, problem, examples))
          return [status, { $ref: `#/components/responses/${name}` }]
        }),
      )
    },
    all: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function problemAnswer(status: number, codes: readonly ProblemCode[], problem: JsonSchema, examples: ByName<unknown>): Response {
  const schema = { allOf: [problem, { type: 'object', properties: { status: { const: status }, code: { enum: codes } } }] }
  const shown = codes.filter((code) => code in examples)
  return {
    description: codes.map((code) => `\`${code}\`: ${problemMeanings[code].when}`).join('\n\n'),
    headers: headersNamed('Cache-Control', 'X-Request-Id', ...(headersByStatus[status] ?? [])),
    content: {
      'application/problem+json': {
        schema,
        ...(shown.length > 0 && {
          examples: Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        }),
      },
    },
  }
}

const headersByStatus: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate', 'Access-Control-Allow-Origin'],
  403: ['WWW-Authenticate'],
  415: ['Accept'],
  503: ['Retry-After'],
}
