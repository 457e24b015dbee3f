import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import Type from 'typebox'
import { problemFields } from '../../actions/validation/problem-schema.ts'
import { type ProblemCode, problems } from '../../values/problems.ts'
import { partsOf, type Route } from '../route-config.ts'
import type { Schema, SchemaCollection } from './component-schemas.ts'
import { requestIdPattern } from './documented-parameters.ts'
import { headersNamed, ofEvery, ofLimits, type ResponseHeader } from './documented-responses.ts'
import { problemMeanings } from './problem-meanings.ts'

const allCodes = Object.keys(problems) as ProblemCode[]

/** Problems of HTTP itself and of our own faults, on every path. */
const everywhere: readonly ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
  'not_implemented',
]
const withKey: readonly ProblemCode[] = [
  'unknown_parameter',
  'unauthenticated',
  'invalid_key',
  'insufficient_scope',
  'not_acceptable',
  'rate_limited',
]
const ofDatabase: readonly ProblemCode[] = ['overloaded', 'database_unavailable', 'shutting_down']
const ofWrites: readonly ProblemCode[] = ['storage_full', 'outcome_unknown']
/** Of writes with dry runs and idempotency keys: a repeated request is 404 if what the first one made was erased since. */
const ofRepeats: readonly ProblemCode[] = ['invalid_parameter', 'not_found', 'idempotency_key_reused', 'idempotency_in_progress']
/** Of every method that may have a body, even where none is wanted. */
const ofBodies: readonly ProblemCode[] = ['malformed_json', 'body_too_large', 'unsupported_content_type', 'validation_failed']
const ofLists: readonly ProblemCode[] = ['invalid_parameter', 'invalid_cursor']

/** Every problem that a route can answer with, in the order of the closed list: its own and those of its kind of route. */
export function problemsOf(route: Route): readonly ProblemCode[] {
  const { access, operation, scope } = route
  const isGet = partsOf(route).method === 'GET'
  const { list, selects, flags, choices, texts, numbers, problems: own = [] } = operation
  const possible = new Set([
    ...everywhere,
    ...(access === 'key' ? withKey : []),
    ...(access === 'site' ? (['unknown_parameter'] as const) : []),
    ...(access === 'open' ? [] : ofDatabase),
    ...(isGet ? [] : [...ofWrites, ...ofBodies]),
    ...(!isGet && access === 'key' ? ofRepeats : []),
    ...(list ? ofLists : []),
    ...(selects || flags || choices || texts || numbers ? (['invalid_parameter'] as const) : []),
    ...own,
  ])
  if (isGet && scope === undefined) possible.delete('insufficient_scope')
  return allCodes.filter((code) => possible.has(code))
}

/** Collects the problem responses of all routes, so that the document has each set of codes once. */
export interface ProblemResponses {
  /** The responses by status. */
  refer(codes: readonly ProblemCode[]): Record<string, OpenApi.ReferenceObject>
  all(): Record<string, OpenApi.ResponseObject>
}

export function collectProblemResponses(refer: SchemaCollection['refer'], examples: Readonly<Record<string, unknown>>): ProblemResponses {
  const problem = refer(ProblemDocument)
  const found = new Map<string, OpenApi.ResponseObject>()
  return {
    refer(codes) {
      const statuses = [...new Set(codes.map((code) => problems[code].status))]
      return Object.fromEntries(
        statuses.map((status) => {
          const ofStatus = codes.filter((code) => problems[code].status === status)
          const name = ofStatus.join('-or-')
          found.set(name, problemResponse(status, ofStatus, problem, examples))
          return [status, { $ref: `#/components/responses/${name}` }]
        }),
      )
    },
    all: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function problemResponse(status: number, codes: readonly ProblemCode[], problem: Schema, examples: Readonly<Record<string, unknown>>) {
  const narrowed: OpenApi.SchemaObject = { type: 'object', properties: { status: { const: status }, code: { enum: [...codes] } } }
  const shown = codes.filter((code) => code in examples)
  return {
    description: codes.map(describe).join('\n\n'),
    headers: headersNamed('Cache-Control', 'Access-Control-Allow-Origin', ...ofEvery, ...ofLimits, ...(headersByStatus[status] ?? [])),
    content: {
      'application/problem+json': {
        schema: { allOf: [problem, narrowed] },
        ...(shown.length > 0 && {
          examples: Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        }),
      },
    },
  }
}

function describe(code: ProblemCode): string {
  const { when, remedy } = problemMeanings[code]
  return `\`${code}\`: ${when} ${remedy}`
}

const headersByStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  415: ['Accept'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** A problem document (RFC 9457), as `toProblemBody` makes it. */
const ProblemDocument = Type.Object(
  {
    ...problemFields,
    instance: Type.String({ maxLength: 32 * 1024, description: 'The path of the request.' }),
    requestId: Type.String({ pattern: requestIdPattern, maxLength: 128, description: 'The id of the request. The log has it, too.' }),
  },
  { title: 'Problem', description: 'What went wrong (RFC 9457).' },
)
