import { type Fault, placeOf, refuseFaults } from '../../values/problems.ts'

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

/** The body, or 422 with the faults of its schema and `more` faults of meaning, where the schema found none. */
export function accepted<T>(body: Validated<T>, more: readonly Fault[] = []): T {
  const found = body.ok ? [] : body.faults
  const places = new Set(found.map(placeOf))
  refuseFaults([...found, ...more.filter((fault) => !places.has(placeOf(fault)))])
  if (!body.ok) throw new Error('a body without faults is not valid')
  return body.value
}
