import { type Fault, refuseFaults } from '../../values/problems.ts'

/** A body and the faults that its schema found. Fields without faults can be read, so that one response also reports their faults of meaning. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly readable: Partial<T> }

/** The fields that can be read, whether the body is valid or not. */
export function readable<T>(body: Validated<T>): Partial<T> {
  return body.ok ? body.value : body.readable
}

/** Whether this field was sent with a fault. Then nothing that depends on it can be checked. */
export function isFaulty<T>(body: Validated<T>, field: string): boolean {
  return !body.ok && body.faults.some((fault) => 'pointer' in fault && fault.pointer.split('/')[1] === field)
}

/** The body, or 422 with the faults of its schema and `more` faults of meaning. */
export function accepted<T>(body: Validated<T>, more: readonly Fault[] = []): T {
  refuseFaults(body.ok ? more : [...body.faults, ...more])
  if (!body.ok) throw new Error('a body without faults is not valid')
  return body.value
}
