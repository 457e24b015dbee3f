import type { ErrorObject } from 'ajv'
import { closestName } from '../../values/letters/closest-name.ts'
import type { Fault } from '../../values/problems.ts'
import { Slug } from './schema-types.ts'

/** A schema error in words for the person who sent the body. */
export function toFault({ instancePath, keyword, params, schema, parentSchema }: ErrorObject): Fault {
  const at = instancePath === '' ? 'The body' : instancePath.slice(1)
  const fault = (code: string, words: string): Fault => ({ pointer: instancePath, code, detail: `${at} ${words}.` })
  switch (keyword) {
    case 'required': {
      const name = params.missingProperty
      return { pointer: `${instancePath}/${escapeKey(name)}`, code: 'required', detail: `${name} is required.` }
    }
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const pointer = `${instancePath}/${escapeKey(name)}`
      return { pointer, code: 'unknown_field', detail: unknownField(name, Object.keys(parentSchema?.properties ?? {})) }
    }
    case 'type':
      return fault('wrong_type', `must be ${[params.type].flat().map(typeName).join(' or ')}${otherwise(parentSchema)}`)
    case 'enum':
      return fault('not_allowed', `must be one of ${params.allowedValues.filter(Boolean).join(', ')}`)
    case 'pattern':
      if (params.pattern === '\\S') return fault('empty', 'must not be empty')
      return fault('invalid_format', `must ${patternNames[params.pattern] ?? `match ${params.pattern}`}`)
    case 'format':
      return fault('invalid_format', `must be ${formatNames[params.format] ?? params.format}`)
    case 'minLength':
    case 'minItems':
      return fault('empty', 'must not be empty')
    case 'maxLength':
    case 'x-maxTrimmedLength':
    case 'x-maxBytes':
    case 'maxItems':
      return fault('too_long', `is too long; at most ${schema} ${units[keyword]}`)
    case 'minimum':
    case 'maximum':
      return fault('out_of_range', `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${params.limit}`)
    default:
      return fault('invalid', 'is not valid')
  }
}

/** Where else a value of another type belongs, if the schema says so (`x-otherwise`). */
function otherwise(schema: ErrorObject['parentSchema']): string {
  const hint: unknown = schema?.['x-otherwise']
  return typeof hint === 'string' ? `; ${hint}` : ''
}

function unknownField(name: string, fields: readonly string[]): string {
  const near = closestName(name, fields)
  const hint = near ? `did you mean \`${near}\`?` : `the fields are ${fields.join(', ')}.`
  return `There is no field \`${name.slice(0, 64).toWellFormed()}\` that can be set${fields.length === 0 ? '.' : `; ${hint}`}`
}

const units = { maxLength: 'characters', 'x-maxTrimmedLength': 'characters', 'x-maxBytes': 'bytes', maxItems: 'items' } as const

/** A type of JSON Schema, in words. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  string: 'a string',
}
const typeName = (type: string) => typeNames[type] ?? type

const formatNames: Record<string, string> = {
  'date-time': 'an RFC 3339 date-time with Z or an offset, such as 2026-01-31T12:00:00Z',
  'http-url': 'an absolute http or https URL',
  'site-path': 'a path of the site: one slash and more than that, without fragment, backslash, control character or white space at its end',
  visible: 'without control characters, characters without width and those that turn the direction of text',
  email: 'an e-mail address',
}

/** Patterns that people meet, in words. */
const patternNames: Readonly<Record<string, string>> = {
  [Slug.pattern]: 'have a to z, 0 to 9 and single hyphens between them only, such as hello-world',
  '^[^/]*$': 'have no slash, because it is a name, not a path',
}

/** Names of fields are shorter; a key of 1 MiB need not come back. */
const maxShownKey = 64

/** A key as JSON Pointer has it (RFC 6901), storable, and cut if it is too long for any field. */
export function escapeKey(key: string): string {
  return key.slice(0, maxShownKey).replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed().replaceAll('\0', '\ufffd')
}
