import Type, { type Static, type TSchema } from 'typebox'
import { parseUrl } from '../../values/parse-url.ts'
import { maxSlugLength } from '../../values/slug.ts'

/** Schemas that several resources are made of. `validate.ts` defines our own keywords (`x-…`). */

const urlCodePoints = 2_048

/** Whether browsers read this text as an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '')
}

/** Whether this text is a path of a site, perhaps with a query: it begins with one slash, and has no fragment, backslash or control character. */
export function isSitePath(text: string): boolean {
  return /^\/[^/\\#\p{Cc}][^\\#\p{Cc}]*$/u.test(text) && text.trimEnd() === text
}

export const InstantOut = Type.String({
  format: 'date-time',
  maxLength: 24,
  description: 'UTC, with milliseconds.',
  examples: ['2026-01-31T12:00:00.000Z'],
})
export const InstantIn = Type.String({
  format: 'date-time',
  description: 'RFC 3339, with `Z` or an offset.',
  examples: ['2026-01-31T12:00:00Z'],
})
/** Not `uri`: RFC 3986 refuses much that browsers read, such as spaces and letters beyond ASCII. */
export const WebUrl = Type.String({
  format: 'http-url',
  maxLength: urlCodePoints,
  description: 'An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent.',
  examples: ['https://example.com/a.jpg'],
})
const slugForm = { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: maxSlugLength } as const
export const Slug = { ...Type.String({ ...slugForm, examples: ['hello-world'] }), ...slugForm }
/** How often something happened, or how many there are. */
export const Count = Type.Integer({ minimum: 0 })
export const Version = Type.Integer({ minimum: 1, description: 'Counts the changes; 1 at first.' })

/** A text that is not blank, of limited length. */
export function line(maxCodePoints: number, options: Record<string, unknown> = {}) {
  return Type.String({ pattern: '\\S', 'x-maxTrimmedLength': maxCodePoints, ...options })
}

export function text(maxCodePoints: number, options: Record<string, unknown> = {}) {
  return Type.String({ maxLength: maxCodePoints, ...options })
}

/** A nullable schema. */
export function nullable<S extends TSchema>(schema: S, options: Record<string, unknown> = {}) {
  const shape = schema as S & { type?: string; enum?: readonly unknown[] }
  const wider = { ...shape, ...options, type: [shape.type, 'null'], ...(shape.enum && { enum: [...shape.enum, null] }) }
  return Type.Unsafe<Static<S> | null>(wider)
}

export function oneOf<const V extends readonly string[]>(values: V, options: Record<string, unknown> = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** The id of a resource of this kind. */
export function idSchema(prefix: string) {
  return Type.String({
    pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
    maxLength: prefix.length + 27,
    description: 'Opaque.',
    examples: [`${prefix}_06dq8k2rxf7e9aw5n4j1t3ybvc`],
  })
}

/** The most resources on a page, whatever `limit` asks for. */
export const maxPageLength = 100

/** Opaque. As long as its URL may be. */
const cursorForm = { pattern: '^[0-9A-Za-z_-]+$', maxLength: 8 * 1024 } as const
export const Cursor = { ...Type.String(cursorForm), ...cursorForm }

const Pagination = Type.Object(
  {
    page: nullable(Type.Integer({ minimum: 1 }), { description: '`null` when paging by cursor.' }),
    limit: Type.Integer({ minimum: 1, maximum: maxPageLength }),
    total: nullable(Count, { description: '`null` with `total=false`.' }),
    totalPages: nullable(Count),
    hasMore: Type.Boolean(),
    nextCursor: nullable(Cursor, { description: 'For `cursor`; `null` on the last page.' }),
  },
  { title: 'Pagination' },
)

/** A page of a list. */
export function listOf<S extends TSchema>(title: string, item: S) {
  return Type.Object({ data: Type.Array(item, { maxItems: maxPageLength }), pagination: Pagination }, { title })
}
