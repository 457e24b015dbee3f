import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { codePointLength } from '../../values/code-points.ts'
import { parseInstant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { crowdFaults, textFaults } from './body-limits.ts'
import type { Checked } from './validated.ts'
import { escapeKey, toFault } from './validation-messages.ts'

/** As many faults as one answer names. */
const maxFaults = 100

/**
 * Makes the check of a value against a schema. Nothing is coerced, dropped or filled in. The schema is compiled when the first value comes
 * (measured: compiling all at the start took 100 ms of it).
 */
export function checkerOf<S extends TSchema>(schema: S): (value: unknown) => Checked<Static<S>> {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= compiler().compile(schema)
    return check<Static<S>>(validate, value)
  }
}

function compiler(): Ajv {
  const options = { allErrors: true, coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false, ownProperties: true }
  // Our schemas are known to be schemas (test/openapi-lint.test.ts); checking that would compile the schema of schemas, too.
  return new Ajv({ ...options, verbose: true, meta: false, validateSchema: false })
    .addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
    .addFormat('uri', isWebUrl)
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

function check<T>(validate: ValidateFunction, body: unknown): Checked<T> {
  const crowds = crowdFaults(body)
  if (crowds.length > 0) return { ok: false, faults: crowds, readable: {} }
  const ofText = textFaults(body)
  const valid = validate(body)
  if (valid && ofText.length === 0) return { ok: true, value: body as T }
  const faults = distinct([...ofText, ...(validate.errors ?? []).map(toFault)]).slice(0, maxFaults)
  return { ok: false, faults, readable: withoutFaulty(body, faults) as Partial<T> }
}

function withoutFaulty(body: unknown, faults: readonly Fault[]): object {
  const faulty = new Set(faults.map((fault) => placeOf(fault).split('/')[1]))
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  return Object.fromEntries(fields.filter(([name]) => !faulty.has(escapeKey(name))))
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}

/** One fault per pointer and code, and where the type is wrong that alone: a schema may find the same resource wrong in several ways. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const byPlace = [...new Map(faults.map((fault) => [JSON.stringify([fault.code, placeOf(fault)]), fault])).values()]
  const mistyped = new Set(byPlace.filter(({ code }) => code === 'wrong_type').map(placeOf))
  return byPlace.filter((fault) => fault.code === 'wrong_type' || !mistyped.has(placeOf(fault)))
}

function placeOf(fault: Fault): string {
  return 'pointer' in fault ? fault.pointer : fault.parameter
}
