import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Checked } from '../checked.ts'
import { parseInstant } from '../instant.ts'
import type { Fault } from '../problems.ts'
import { codePointLength } from '../text/code-points.ts'
import { textFaults } from './text-faults.ts'

/** As many faults as one answer names. */
const maxFaults = 100

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
  ownProperties: true,
})
  .addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
  .addFormat('uri', isWebUrl)
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

/** Makes the check of a body against its schema. Nothing is coerced, dropped or filled in. */
export function bodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Checked<Static<S>> {
  const validate = ajv.compile(schema)
  return (request) => check<Static<S>>(validate, request.body)
}

/** The same for a request that may come without a body, which is then an empty object. */
export function optionalBodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Checked<Static<S>> {
  const validate = ajv.compile(schema)
  return (request) => check<Static<S>>(validate, request.body ?? {})
}

function check<T>(validate: ValidateFunction, body: unknown): Checked<T> {
  const ofText = textFaults(body)
  const valid = validate(body)
  if (valid && ofText.length === 0) return { ok: true, value: body as T }
  const faults = distinct([...ofText, ...(validate.errors ?? []).map(toFault)]).slice(0, maxFaults)
  const faulty = new Set(faults.map((fault) => ('pointer' in fault ? fault.pointer.split('/')[1] : '')))
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  return { ok: false, faults, readable: Object.fromEntries(fields.filter(([name]) => !faulty.has(escapeKey(name)))) as Partial<T> }
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}

/** One fault per pointer and code: a schema may find the same thing wrong in two ways. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify([fault.code, 'pointer' in fault ? fault.pointer : '']), fault])).values()]
}

function toFault({ instancePath, keyword, params }: ErrorObject): Fault {
  const at = instancePath === '' ? 'The body' : instancePath.slice(1)
  switch (keyword) {
    case 'required':
      return {
        pointer: `${instancePath}/${escapeKey(params.missingProperty)}`,
        code: 'required',
        detail: `${params.missingProperty} is required.`,
      }
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      return {
        pointer: `${instancePath}/${escapeKey(name)}`,
        code: 'unknown_field',
        detail: `There is no field ${name.slice(0, 64)} that can be set.`,
      }
    }
    case 'type':
      return { pointer: instancePath, code: 'wrong_type', detail: `${at} must be ${[params.type].flat().join(' or ')}.` }
    case 'enum':
      return {
        pointer: instancePath,
        code: 'not_allowed',
        detail: `${at} must be one of ${params.allowedValues.filter(Boolean).join(', ')}.`,
      }
    case 'pattern':
      return params.pattern === '\\S'
        ? { pointer: instancePath, code: 'empty', detail: `${at} must not be empty.` }
        : { pointer: instancePath, code: 'invalid_format', detail: `${at} must match ${params.pattern}.` }
    case 'format':
      return { pointer: instancePath, code: 'invalid_format', detail: `${at} must be ${formatNames[params.format] ?? params.format}.` }
    case 'maxLength':
    case 'x-maxTrimmedLength':
    case 'x-maxBytes':
    case 'maxItems':
      return {
        pointer: instancePath,
        code: 'too_long',
        detail: `${at} is too long${'limit' in params ? `; at most ${params.limit}` : ''}.`,
      }
    case 'minimum':
    case 'maximum':
      return { pointer: instancePath, code: 'out_of_range', detail: `${at} must be ${params.comparison} ${params.limit}.` }
    default:
      return { pointer: instancePath, code: 'invalid', detail: `${at} is not valid.` }
  }
}

const formatNames: Record<string, string> = {
  'date-time': 'an RFC 3339 date-time with Z or an offset, such as 2026-01-31T12:00:00Z',
  uri: 'an absolute http or https URL',
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
