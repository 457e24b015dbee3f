import type { Fault } from '../../values/problems.ts'
import { escapeKey } from './validation-messages.ts'

/** More entries than any list or object of ours has, by far. Judging a million of them one by one would keep everybody else waiting for seconds. */
const maxEntries = 1_000

/** Lists and objects of a body with so many entries that these are not looked at. */
export function crowdFaults(body: unknown, pointer = ''): readonly Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const entries = Object.entries(body)
  if (entries.length <= maxEntries) return entries.flatMap(([key, value]) => crowdFaults(value, `${pointer}/${escapeKey(key)}`))
  const at = pointer === '' ? 'The body' : pointer.slice(1)
  return [{ pointer, code: 'too_long', detail: `${at} has more than ${maxEntries} entries.` }]
}
