import { type Fault, refuseFaults } from '../../values/problems.ts'

/** A body held against its schema. Where it has faults, the fields that have none can still be read, so that their faults of meaning are named too. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly readable: Partial<T> }

/** What can be read of a body, be it valid or not. */
export function readable<T>(body: Checked<T>): Partial<T> {
  return body.ok ? body.value : body.readable
}

/** Whether this field was sent and cannot be read: what depends on it cannot be judged then. */
export function isFaulty<T>(body: Checked<T>, field: string): boolean {
  return !body.ok && body.faults.some((fault) => 'pointer' in fault && fault.pointer.split('/')[1] === field)
}

/** The body, or 422 naming all that is wrong with it: its form and, in `more`, its meaning. */
export function accepted<T>(body: Checked<T>, more: readonly Fault[] = []): T {
  refuseFaults(body.ok ? more : [...body.faults, ...more])
  if (!body.ok) throw new Error('a body without faults was not accepted')
  return body.value
}
