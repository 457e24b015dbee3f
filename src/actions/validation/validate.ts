import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { codePointLength, isStorable, isVisible } from '../../values/code-points.ts'
import { parseInstant } from '../../values/instant.ts'
import { type Fault, maxErrors, placeOf } from '../../values/problems.ts'
import { isSitePath, isWebUrl } from './schema-types.ts'
import type { Validated } from './validated.ts'
import { escapeKey, toFault } from './validation-messages.ts'

/** Far more than any valid list or object has. Validating a million entries would block the event loop for seconds. */
const maxEntries = 1_000

/** Stands for a body that was not parsed, because it has too many values. */
export class TooManyValues {
  constructor(
    /** The object or array that has one too many. */
    readonly pointer: string,
    readonly most: number,
  ) {}
}

/** Returns a validator, which never changes the value. It compiles its schema on first use: compiling all schemas takes 100 ms. */
export function validatorOf<S extends TSchema>(schema: S): (value: unknown) => Validated<Static<S>> {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= compiler().compile(schema)
    return check<Static<S>>(validate, value)
  }
}

function compiler(): Ajv {
  const options = { allErrors: true, coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false, ownProperties: true }
  // A test lints the schemas. Validating them here would also compile the meta-schema.
  return new Ajv({ ...options, verbose: true, meta: false, validateSchema: false })
    .addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
    .addFormat('http-url', isWebUrl)
    .addFormat('site-path', isSitePath)
    .addFormat('visible', (text: string) => isVisible(text.trim()))
    .addFormat('email', (text: string) => /^[^\s@]+@[^\s@]+$/.test(text))
    .addKeyword({
      keyword: 'x-maxTrimmedLength',
      type: 'string',
      schemaType: 'number',
      validate: (max: number, text: string) => codePointLength(text.trim()) <= max,
    })
    .addKeyword({
      keyword: 'x-maxBytes',
      type: 'string',
      schemaType: 'number',
      validate: (max: number, text: string) => text.length <= max && Buffer.byteLength(text) <= max,
    })
}

function check<T>(validate: ValidateFunction, body: unknown): Validated<T> {
  const tooLarge = sizeFaults(body)
  if (tooLarge.length > 0) return { ok: false, faults: tooLarge, readable: {} }
  const ofText = textFaults(body)
  const valid = validate(body)
  if (valid && ofText.length === 0) return { ok: true, value: body as T }
  const faults = distinct([...ofText, ...(validate.errors ?? []).map(toFault)]).slice(0, maxErrors)
  return { ok: false, faults, readable: withoutFaulty(body, faults) as Partial<T> }
}

function withoutFaulty(body: unknown, faults: readonly Fault[]): object {
  const faulty = new Set(faults.map((fault) => placeOf(fault).split('/')[1]))
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  return Object.fromEntries(fields.filter(([name]) => !faulty.has(escapeKey(name))))
}

/** With one of these, nothing else about a place matters. Of two, the one that the schema reports counts. */
const decisive = ['invalid_text', 'wrong_type', 'unknown_field']

/** One fault per pointer and code; only the decisive one if there is any. A schema may report a fault in several ways. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const byPlace = [...new Map(faults.map((fault) => [JSON.stringify([fault.code, placeOf(fault)]), fault])).values()]
  const decided = new Map(byPlace.filter(({ code }) => decisive.includes(code)).map((fault) => [placeOf(fault), fault]))
  return byPlace.filter((fault) => (decided.get(placeOf(fault)) ?? fault) === fault)
}

/** Lists and objects with too many entries, which are not validated. */
function sizeFaults(body: unknown, pointer = ''): readonly Fault[] {
  if (typeof body !== 'object' || body === null) return []
  if (body instanceof TooManyValues)
    return [{ pointer: body.pointer, code: 'too_long', detail: `The body has more than ${body.most} values.` }]
  const entries = Object.entries(body)
  if (entries.length <= maxEntries) return entries.flatMap(([key, value]) => sizeFaults(value, `${pointer}/${escapeKey(key)}`))
  const at = pointer === '' ? 'The body' : pointer.slice(1)
  return [{ pointer, code: 'too_long', detail: `${at} has more than ${maxEntries} entries.` }]
}

/** Texts and keys that no engine can store as they are: NUL, lone surrogates, and the key `__proto__`. */
function textFaults(body: unknown, pointer = ''): readonly Fault[] {
  if (typeof body === 'string') return isStorable(body) ? [] : [unstorable(pointer)]
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => {
    const at = `${pointer}/${escapeKey(key)}`
    if (key === '__proto__') return [{ pointer: at, code: 'unknown_field', detail: 'There is no field `__proto__` that can be set.' }]
    return isStorable(key) ? textFaults(value, at) : [unstorable(at)]
  })
}

function unstorable(pointer: string): Fault {
  return { pointer, code: 'invalid_text', detail: `${pointer.slice(1) || 'The body'} holds a NUL character or a lone surrogate.` }
}
