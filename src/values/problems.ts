/** The closed list of problem codes. A new one needs an ADR. */
export const problems = {
  malformed_request: { status: 400, title: 'The request is malformed' },
  invalid_parameter: { status: 400, title: 'A parameter is invalid' },
  unknown_parameter: { status: 400, title: 'A parameter is unknown' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_cursor: { status: 400, title: 'The cursor is invalid' },
  unauthenticated: { status: 401, title: 'Authentication is needed' },
  invalid_key: { status: 401, title: 'The API key is not valid' },
  insufficient_scope: { status: 403, title: 'The API key lacks a scope' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  slug_conflict: { status: 409, title: 'The slug is taken' },
  alias_conflict: { status: 409, title: 'The alias belongs to another post' },
  pending_conflict: { status: 409, title: 'The pending edit conflicts with the post' },
  in_use: { status: 409, title: 'The resource is in use' },
  idempotency_in_progress: { status: 409, title: 'The first request with this idempotency key is still running' },
  cursor_expired: { status: 410, title: 'The cursor has expired' },
  stale_version: { status: 412, title: 'The resource has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  uri_too_long: { status: 414, title: 'The URL is too long' },
  unsupported_content_type: { status: 415, title: 'The content type is not supported' },
  validation_failed: { status: 422, title: 'The body is not valid' },
  unsupported_media_type: { status: 422, title: 'The media type of the asset is not supported' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_implemented: { status: 501, title: 'The service does not implement this' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  storage_full: { status: 503, title: 'The storage is full' },
  database_unavailable: { status: 503, title: 'The database is unavailable' },
  outcome_unknown: { status: 503, title: 'The outcome of the write is unknown' },
  shutting_down: { status: 503, title: 'The service is shutting down' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** The most faults of one response. */
export const maxErrors = 100

/** One fault of a request: in the body (`pointer`, RFC 6901) or in the query (`parameter`). */
export type Fault = { readonly code: string; readonly detail: string } & ({ readonly pointer: string } | { readonly parameter: string })

/** The field or parameter of a fault. */
export function placeOf(fault: Fault): string {
  return 'pointer' in fault ? fault.pointer : fault.parameter
}

/** Extension members of a problem document (RFC 9457 §3.2). */
type ProblemMembers = Readonly<Record<string, string | number | readonly object[]>>

interface ProblemExtras {
  readonly errors?: readonly Fault[]
  /** Such as `suggestion`. */
  readonly members?: ProblemMembers
  readonly headers?: Readonly<Record<string, string>>
  /** The underlying error, for the log and the terminal. Never part of a response. */
  readonly cause?: unknown
}

/** A mistake of the caller, or a state of the service that the caller must know. Anything else that is thrown is a bug and answered 500. */
export class Problem extends Error {
  readonly errors: readonly Fault[]
  readonly members: ProblemMembers
  readonly headers: Readonly<Record<string, string>>

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    extras: ProblemExtras = {},
  ) {
    super(`${code}: ${detail}`, extras.cause === undefined ? {} : { cause: extras.cause })
    this.name = 'Problem'
    this.errors = extras.errors ?? []
    this.members = extras.members ?? {}
    this.headers = extras.headers ?? {}
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** Whether the caller has to change something. After any other error, the whole transaction is undone. */
export function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500
}

/** 404 in the same words for what does not exist and for what the caller may not see. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`)
}

/** Throws a 422 that names every fault, if there are any. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const first = faults[0]
  const detail = faults.length === 1 && first ? first.detail : `${faults.length} fields are not valid.`
  throw new Problem('validation_failed', detail, { errors: faults })
}

/** The body of a problem response (RFC 9457). `instance` is the path of the request. */
export function toProblemBody(problem: Problem, instance: string, requestId: string) {
  const { status, title } = problems[problem.code]
  return {
    type: `urn:verso:problem:${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.detail,
    instance,
    requestId,
    errors: problem.errors.slice(0, maxErrors),
    ...problem.members,
  }
}
