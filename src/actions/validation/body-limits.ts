import { isStorable } from '../../values/code-points.ts'
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

/** Texts and keys of a body that cannot be stored unchanged: NUL, lone surrogates and the key `__proto__` (docs/reference/api.md#representations). */
export function textFaults(body: unknown, pointer = ''): readonly Fault[] {
  if (typeof body === 'string') return isStorable(body) ? [] : [unstorable(pointer)]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed().replaceAll('\0', '\ufffd')}`
    if (key === '__proto__') return [{ pointer: at, code: 'unknown_field', detail: 'There is no field `__proto__` that can be set.' }]
    return isStorable(key) ? textFaults(value, at) : [unstorable(at)]
  })
}

function unstorable(pointer: string): Fault {
  return { pointer, code: 'invalid_text', detail: `${pointer.slice(1) || 'The body'} holds a NUL character or a lone surrogate.` }
}
