import type { Fault, ProblemDocument } from './api.ts'

/** The closed list of the API, and two for what is no answer of Verso: nothing came back, or something else did. */
export type ProblemCode = ProblemDocument['code'] | 'unreachable' | 'unexpected_answer'

/** Why a request failed. Programs read `code`; people read `message`. */
export class Problem extends Error {
  readonly code: ProblemCode
  /** The status of the answer; 0 if there was none. */
  readonly status: number
  /** Every fault of the request, with its place in the body or its parameter. */
  readonly errors: readonly Fault[]
  /** The service's log has the same id. */
  readonly requestId: string | undefined
  /** The whole problem document, with members that belong to a code alone, such as `suggestion`. */
  readonly document: Partial<ProblemDocument>

  constructor(status: number, document: Partial<ProblemDocument>, code: ProblemCode = 'unexpected_answer', cause?: unknown) {
    super(document.detail ?? document.title ?? `The answer has the status ${status} and is no problem document.`, { cause })
    this.name = 'Problem'
    this.code = document.code ?? code
    this.status = status
    this.errors = document.errors ?? []
    this.requestId = document.requestId
    this.document = document
  }
}
