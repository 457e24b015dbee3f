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
import type { ByName, Parameter, Ref } from './openapi-types.ts'
import type { WholeNumber } from './operation.ts'
import type { DocumentedRoute } from './route-collector.ts'

/** Parameters that mean the same everywhere. */
export const sharedParameters = {
  page: {
    name: 'page',
    in: 'query',
    description: 'Which page. One past the end is empty. Not together with `cursor`.',
    schema: { type: 'integer', minimum: 1, maximum: maxPage, default: 1 },
  },
  limit: {
    name: 'limit',
    in: 'query',
    description: 'How many on a page.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'A `nextCursor` of this list: pages without loss or repeat while resources are added. It belongs to the sort and filters it was made with; `limit` may change.',
    schema: { type: 'string' },
  },
  total: {
    name: 'total',
    in: 'query',
    description: '`false` skips counting; `total` and `totalPages` are then `null`.',
    schema: { type: 'boolean', default: true },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the answer you have; 304 where it is still right.',
    schema: { type: 'string' },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of what you read; 412 where it has changed since. Its version alone counts.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of your own for this request, bare or quoted. Repeated with the same method, path, query and body within 24 hours, the request is not done again but answered as the first time, with `Idempotency-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description: 'Only try it: the same rights, rules and problems, and the answer shows what would be. Nothing is kept.',
    schema: { type: 'boolean', default: false },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`server-timing`: the answer to a secret key says how long its stages took, a refusal too (RFC 7240). Other preferences are ignored.',
    schema: { type: 'string' },
    example: 'server-timing',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of your own for this request, which the answer and the log carry; one is made where there is none.',
    schema: { type: 'string', pattern: '^[\\w.:/+=@-]{1,128}$' },
  },
} as const satisfies ByName<Parameter>

const aboutPath: ByName<string> = {
  id: 'The id.',
  idOrSlug: 'The id or the slug.',
  version: 'The version.',
  tokenId: 'The id of the token.',
}

/** Every parameter of a route: of its path, its query, and the headers that work there. `samples` are values for the path. */
export function parametersOf({ url, method, access, operation }: DocumentedRoute, samples: ByName<string>): readonly (Parameter | Ref)[] {
  const { list, flags = {}, texts = {}, numbers = {}, problems = [], responses } = operation
  return [
    ...namesIn(url).map((name) => pathParameter(name, samples[name])),
    ...(list ? listParameters(list) : []),
    ...Object.entries(flags).map(([name, description]) => flag(name, description)),
    ...Object.entries(texts).map(([name, description]) => ({ name, in: 'query' as const, description, schema: { type: 'string' } })),
    ...Object.entries(numbers).map(([name, number]) => wholeNumber(name, number)),
    ...(method === 'get' && 304 in responses ? [shared('If-None-Match')] : []),
    ...(problems.includes('stale_version') && !operation.severalAtOnce ? [shared('If-Match')] : []),
    ...(method !== 'get' && access === 'key' ? [shared('dry_run'), shared('Idempotency-Key')] : []),
    ...(access === 'key' ? [shared('Prefer')] : []),
    shared('X-Request-Id'),
  ]
}

/** The names in a router's path: `id` of `/v1/posts/:id/restore`. */
export function namesIn(url: string): readonly string[] {
  return [...url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
}

function pathParameter(name: string, sample: string | undefined): Parameter {
  const about = { name, in: 'path', required: true, description: aboutPath[name] ?? '', schema: { type: 'string' } } as const
  return sample === undefined ? about : { ...about, example: sample }
}

function listParameters({ filters, sorts, defaultSort, rankedBy, fields }: ListSpec): readonly (Parameter | Ref)[] {
  return [
    ...Object.entries(filters).map(([name, filter]) => filterParameter(name, filter)),
    sortParameter(sorts, `${defaultSort.descending ? '-' : ''}${defaultSort.name}`, rankedBy),
    ...(['page', 'limit', 'cursor', 'total'] as const).map(shared),
    ...(fields
      ? [
          several('fields', 'These fields alone, and `id`.', { enum: fields }),
          several('exclude', 'All fields but these. Not together with `fields`.', { enum: fields }),
        ]
      : []),
  ]
}

function filterParameter(name: string, { kind, description, example, values, guarded }: FilterSpec): Parameter {
  const except = guarded && guarded.open.length > 0 ? `Values other than ${guarded.open.join(', ')} need` : 'It needs'
  const about = guarded ? `${description} ${except} the scope \`${guarded.scope}\`.` : description
  switch (kind) {
    case 'many':
      return { ...several(name, about, { ...(values && { enum: values }), maxItems: maxFilterValues }), example: example.split(',') }
    case 'instant':
      return { name, in: 'query', description: about, schema: { type: 'string', format: 'date-time' }, example }
    case 'text':
      return { name, in: 'query', description: about, schema: { type: 'string', maxLength: maxSearchCodePoints }, example }
    case 'flag':
      return flag(name, about)
  }
}

function sortParameter(sorts: readonly string[], byDefault: string, rankedBy: string | undefined): Parameter {
  const ranked = rankedBy === undefined ? '' : ` With \`${rankedBy}\` and without this, the best matches come first.`
  const description = `Fields to sort by, the most important first. A leading \`-\` descends. Empty values come last in both directions.${ranked}`
  const { schema, ...parameter } = several('sort', description, {
    enum: sorts.flatMap((name) => [name, `-${name}`]),
    maxItems: Math.min(maxSorts, sorts.length),
  })
  return { ...parameter, schema: { ...schema, default: [byDefault] } }
}

const repeatable = 'Separate values with commas, or repeat the parameter.'

/** A parameter that takes several values, comma-separated. */
function several(name: string, description: string, limits: { readonly enum?: readonly string[]; readonly maxItems?: number }): Parameter {
  const { enum: values, maxItems } = limits
  const items = { type: 'string', ...(values && { enum: values }) }
  const schema = { type: 'array', items, minItems: 1, ...(maxItems !== undefined && { maxItems }) }
  return { name, in: 'query', description: `${description} ${repeatable}`, style: 'form', explode: false, schema }
}

function flag(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'boolean', default: false } }
}

function wholeNumber(name: string, { description, ...limits }: WholeNumber): Parameter {
  return { name, in: 'query', description, schema: { type: 'integer', ...limits } }
}

function shared(name: keyof typeof sharedParameters): Ref {
  return { $ref: `#/components/parameters/${name}` }
}
