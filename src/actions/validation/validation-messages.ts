import type { ErrorObject } from 'ajv'
import { closestName } from '../../values/closest-name.ts'
import type { Fault } from '../../values/problems.ts'
import { Slug } from './schema-types.ts'

/** A schema error in words for the person who sent the body. */
export function toFault({ instancePath, keyword, params, schema, parentSchema }: ErrorObject): Fault {
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
      const fields = Object.keys(parentSchema?.properties ?? {})
      const near = closestName(name, fields)
      const hint = near ? `did you mean \`${near}\`?` : `the fields are ${fields.join(', ')}.`
      return {
        pointer: `${instancePath}/${escapeKey(name)}`,
        code: 'unknown_field',
        detail: `There is no field \`${name.slice(0, 64).toWellFormed()}\` that can be set${fields.length === 0 ? '.' : `; ${hint}`}`,
      }
    }
    case 'type':
      return {
        pointer: instancePath,
        code: 'wrong_type',
        detail: `${at} must be ${[params.type].flat().join(' or ')}${otherwise(parentSchema)}.`,
      }
    case 'enum':
      return {
        pointer: instancePath,
        code: 'not_allowed',
        detail: `${at} must be one of ${params.allowedValues.filter(Boolean).join(', ')}.`,
      }
    case 'pattern':
      return params.pattern === '\\S'
        ? { pointer: instancePath, code: 'empty', detail: `${at} must not be empty.` }
        : {
            pointer: instancePath,
            code: 'invalid_format',
            detail: `${at} must ${patternNames[params.pattern] ?? `match ${params.pattern}`}.`,
          }
    case 'format':
      return { pointer: instancePath, code: 'invalid_format', detail: `${at} must be ${formatNames[params.format] ?? params.format}.` }
    case 'minLength':
    case 'minItems':
      return { pointer: instancePath, code: 'empty', detail: `${at} must not be empty.` }
    case 'maxLength':
    case 'x-maxTrimmedLength':
    case 'x-maxBytes':
    case 'maxItems':
      return {
        pointer: instancePath,
        code: 'too_long',
        detail: `${at} is too long; at most ${schema} ${units[keyword]}.`,
      }
    case 'minimum':
    case 'maximum':
      return { pointer: instancePath, code: 'out_of_range', detail: `${at} must be ${params.comparison} ${params.limit}.` }
    default:
      return { pointer: instancePath, code: 'invalid', detail: `${at} is not valid.` }
  }
}

/** Where else a value of another type belongs, if the schema says so (`x-otherwise`). */
function otherwise(schema: ErrorObject['parentSchema']): string {
  const hint: unknown = schema?.['x-otherwise']
  return typeof hint === 'string' ? `; ${hint}` : ''
}

const units = { maxLength: 'characters', 'x-maxTrimmedLength': 'characters', 'x-maxBytes': 'bytes', maxItems: 'items' } as const

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
