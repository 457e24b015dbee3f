import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { Cursor } from '../../actions/validation/schema-types.ts'
import {
  defaultLimit,
  type FilterSpec,
  type ListSpec,
  maxFilterValues,
  maxLimit,
  maxPage,
  maxSearchCodePoints,
  maxSorts,
} from '../../lists/list-spec.ts'
import { partsOf, type Route } from '../route-config.ts'
import type { WholeNumber } from './operation.ts'

type Parameter = OpenApi.ParameterObject

/** What a client may call a request. */
export const requestIdPattern = '^[\\w.:/+=@-]{1,128}$'
const maxHeaderLength = 8_192
const cursorSchema = { type: 'string', pattern: Cursor.pattern, maxLength: Cursor.maxLength } as const

/** Parameters that mean the same everywhere. */
export const sharedParameters = {
  page: {
    name: 'page',
    in: 'query',
    description: 'The number of the page. A page past the end is empty. Not allowed together with `cursor`.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: maxPage, default: 1 },
  },
  limit: {
    name: 'limit',
    in: 'query',
    description: 'The number of resources on a page.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: maxLimit, default: defaultLimit },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change.',
    schema: cursorSchema,
  },
  total: {
    name: 'total',
    in: 'query',
    description: 'With `false`, nothing is counted: `total` and `totalPages` are `null`.',
    schema: { type: 'boolean', default: true },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the response that you have. The response is 304 if that is still current.',
    schema: { type: 'string', maxLength: maxHeaderLength },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the resource that you read. The response is 412 if it has changed since. Only the version in it counts.',
    schema: { type: 'string', maxLength: maxHeaderLength },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of your choice for this request: 1 to 255 printable ASCII characters, bare or as a quoted string with `\\` before `"` and `\\`. A request with the same key, method, path, query and body within 24 hours is not carried out again: it gets the first response, with `Idempotency-Replayed: true`.',
    schema: { type: 'string', pattern: '^(?:[!#-~][ -~]{0,254}|"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}")$', minLength: 1, maxLength: 512 },
  },
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description: 'Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result.',
    schema: { type: 'boolean', default: false },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `server-timing`, responses to a secret key say how long each stage took, problems included (RFC 7240). Other preferences are ignored.',
    schema: { type: 'string', maxLength: maxHeaderLength },
    example: 'server-timing',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of your choice for this request. The response and the log have it. Without it, the service makes one.',
    schema: { type: 'string', pattern: requestIdPattern, maxLength: 128 },
  },
} satisfies Record<string, Parameter>

const anyId = { type: 'string', pattern: '^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$', maxLength: 40 } as const

const pathParameters: Readonly<Record<string, Pick<Parameter, 'description' | 'schema'>>> = {
  id: { description: 'The id.', schema: anyId },
  idOrSlug: { description: 'The id or the slug.', schema: { type: 'string', pattern: '^[0-9a-z_-]+$', maxLength: 80 } },
  version: { description: 'The version.', schema: { type: 'string', pattern: '^[0-9A-Za-z.+-]+$', maxLength: 20 } },
  tokenId: { description: 'The id of the preview token.', schema: anyId },
  project: { description: 'The slug of the project.', schema: { type: 'string', pattern: '^[0-9a-z-]+$', maxLength: 80 } },
  subject: { description: '`tags`, `categories` or `authors`.', schema: { type: 'string', enum: ['tags', 'categories', 'authors'] } },
  deliveryId: { description: 'The id of the delivery.', schema: anyId },
}

/** Every parameter of a route: in its path, its query, and its headers. `samples` are examples for the path. */
export function parametersOf(route: Route, samples: Readonly<Record<string, string>>): (Parameter | OpenApi.ReferenceObject)[] {
  const { access, operation } = route
  const { method, path } = partsOf(route)
  const { list, selects, includes, flags = {}, choices = {}, texts = {}, cursors = {}, numbers = {}, problems = [], responses } = operation
  return [
    ...namesIn(path).map((name) => pathParameter(name, samples[name])),
    ...(list ? listParameters(list) : []),
    ...(selects ? fieldParameters(selects) : []),
    ...(includes ? [includeParameter(includes)] : []),
    ...Object.entries(flags).map(([name, description]) => flag(name, description)),
    ...Object.entries(choices).map(([name, { description, values }]) =>
      several(name, description, { enum: values, maxItems: values.length }),
    ),
    ...Object.entries(texts).map(([name, description]) => text(name, description)),
    ...Object.entries(cursors).map(([name, description]) => ({ name, in: 'query', description, schema: cursorSchema })),
    ...Object.entries(numbers).map(([name, number]) => wholeNumber(name, number)),
    ...(method === 'GET' && 304 in responses ? [shared('If-None-Match')] : []),
    ...(problems.includes('stale_version') && !operation.severalAtOnce ? [shared('If-Match')] : []),
    ...(method !== 'GET' && access === 'key' ? [shared('dry_run'), shared('Idempotency-Key')] : []),
    ...(access === 'key' ? [shared('Prefer')] : []),
    shared('X-Request-Id'),
  ]
}

/** The names in a router's path: `id` of `/v1/posts/:id/restore`. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
}

function pathParameter(name: string, sample: string | undefined): Parameter {
  const parameter: Parameter = { name, in: 'path', required: true, ...pathParameters[name] }
  return sample === undefined ? parameter : { ...parameter, example: sample }
}

function listParameters({ filters, sorts, defaultSort, rankedBy, fields, includes }: ListSpec): (Parameter | OpenApi.ReferenceObject)[] {
  return [
    ...Object.entries(filters).map(([name, filter]) => filterParameter(name, filter)),
    sortParameter(sorts, `${defaultSort.descending ? '-' : ''}${defaultSort.name}`, rankedBy),
    ...(['page', 'limit', 'cursor', 'total'] as const).map(shared),
    ...(fields ? fieldParameters(fields) : []),
    ...(includes ? [includeParameter(includes)] : []),
  ]
}

function fieldParameters(fields: readonly string[]): readonly Parameter[] {
  const offers = { enum: fields, maxItems: fields.length }
  return [
    several('fields', 'Only these fields, and `id`. The response lacks all others, also those that its schema requires.', offers),
    several('exclude', 'All fields except these. Not allowed together with `fields`.', offers),
  ]
}

function includeParameter(includes: NonNullable<ListSpec['includes']>): Parameter {
  const offers = Object.entries(includes).map(([name, { description, scope }]) => {
    const needed = scope ? ` It needs the scope \`${scope}\`.` : ''
    return `\`${name}\`: ${description}${needed}`
  })
  const names = Object.keys(includes)
  return several('include', `What to add to each resource. ${offers.join(' ')}`, { enum: names, maxItems: names.length })
}

function filterParameter(name: string, { kind, description, example, values, guarded }: FilterSpec): Parameter {
  const except = guarded && guarded.open.length > 0 ? `Values other than ${guarded.open.join(', ')} need` : 'It needs'
  const about = guarded ? `${description} ${except} the scope \`${guarded.scope}\`.` : description
  switch (kind) {
    case 'many':
      return { ...several(name, about, { ...(values && { enum: values }), maxItems: maxFilterValues }), example: example.split(',') }
    case 'instant':
      return {
        name,
        in: 'query',
        description: about,
        schema: { type: 'string', format: 'date-time', maxLength: maxInstantLength },
        example,
      }
    case 'text':
      return { name, in: 'query', description: about, schema: { type: 'string', maxLength: maxSearchCodePoints }, example }
    case 'flag':
      return flag(name, about)
  }
}

function sortParameter(sorts: readonly string[], byDefault: string, rankedBy: string | undefined): Parameter {
  const ranked = rankedBy === undefined ? '' : ` With \`${rankedBy}\` and without \`sort\`, the best matches come first.`
  const description = `Fields to sort by, the most important first. A leading \`-\` sorts in descending order. Empty values always come last.${ranked}`
  const values = sorts.flatMap((name) => [name, `-${name}`])
  return several('sort', description, { enum: values, maxItems: Math.min(maxSorts, sorts.length), default: [byDefault] })
}

/** A longer one is the slug or id of nothing, and a URL has no room for more. */
const maxValueLength = 8 * 1024
/** A date-time may have any number of digits after the second. */
const maxInstantLength = 100
/** An id or slug, or a token. */
const maxTextLength = 100

interface ValueLimits {
  readonly enum?: readonly string[]
  readonly maxItems?: number
  readonly default?: readonly string[]
}

/** A parameter that takes several values. */
function several(name: string, description: string, { enum: values, ...limits }: ValueLimits): Parameter {
  return {
    name,
    in: 'query',
    description: `${description} Separate values with commas, or repeat the parameter.`,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', ...(values ? { enum: [...values] } : { maxLength: maxValueLength }) },
      minItems: 1,
      ...limits,
    },
  }
}

function flag(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'boolean', default: false } }
}

function text(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'string', maxLength: maxTextLength } }
}

function wholeNumber(name: string, { description, ...limits }: WholeNumber): Parameter {
  return { name, in: 'query', description, schema: { type: 'integer', format: 'int32', ...limits } }
}

function shared(name: keyof typeof sharedParameters): OpenApi.ReferenceObject {
  return { $ref: `#/components/parameters/${name}` }
}
