import { hash } from 'node:crypto'
import type { PostTable } from '../../database/tables.ts'
import type { ProjectId } from '../../values/ids.ts'
import { type Instant, parseInstant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'
import { noSeo, type Post, type PostEdits } from './post.ts'
import type { Post as PostBody, PostCreate, PostPatch } from './post-schema.ts'

/** A row of `posts`, with its Markdown and whether it has a pending edit, if these were read. */
type PostRow = PostTable & { readonly body?: string | null | undefined; readonly has_pending_edit?: 0 | 1 | undefined }

/** The definition of one field of a post. */
interface Field<K extends keyof Post> {
  /** Its columns as they are written. */
  readonly toColumns: (value: Post[K]) => Partial<PostTable>
  readonly fromRow: (row: PostRow) => Post[K]
  /** Its name in representations; `null` if it is not shown. */
  readonly shownAs: keyof PostBody | null
  /** Turns the value in a body into an edit; `undefined` leaves the field as it is. */
  readonly edit: K extends keyof PostPatch ? Edit<K> : 'never'
  /** Whether revisions and their diffs name the field when it changes, and whether restoring a revision restores it. */
  readonly revision: 'compared' | 'not compared' | (K extends keyof PostEdits ? 'restored' : never)
}

/** Authors, categories and tags are looked up, which needs the database (post-actions.ts). */
type Edit<K extends keyof PostPatch> = K extends 'authorId' | 'categoryId' | 'tags'
  ? 'looked up'
  : (sent: Exclude<PostPatch[K], undefined>) => PostEdits[K & keyof PostEdits]

/**
 * Each field of a post in its row, its representation, the bodies that edit it, and its revisions. If a field of `Post` or of a body is
 * missing here, the program does not compile. The order is that of the representation.
 */
const postFields = {
  id: { ...column('id'), shownAs: 'id', edit: 'never', revision: 'not compared' },
  title: {
    toColumns: (title) => ({ title, title_folded: fold(title) }),
    fromRow: ({ title }) => title,
    shownAs: 'title',
    edit: (title) => title.trim(),
    revision: 'restored',
  },
  slug: { ...column('slug'), shownAs: 'slug', edit: asSent, revision: 'compared' },
  content: {
    toColumns: (content) => ({ content_hash: contentHash(content) }),
    fromRow: ({ body }) => body ?? '',
    shownAs: 'content',
    edit: (content) => content ?? '',
    revision: 'restored',
  },
  excerpt: { ...column('excerpt'), shownAs: 'excerpt', edit: asSent, revision: 'restored' },
  status: { ...column('status'), shownAs: 'status', edit: asSent, revision: 'compared' },
  publishedAt: { ...sortedInstant('published_at'), shownAs: 'publishedAt', edit: instant, revision: 'compared' },
  scheduledFor: { ...sortedInstant('scheduled_for'), shownAs: 'scheduledFor', edit: instant, revision: 'compared' },
  firstPublishedAt: { ...column('first_published_at'), shownAs: null, edit: 'never', revision: 'not compared' },
  authorId: { ...column('author_id'), shownAs: 'author', edit: 'looked up', revision: 'restored' },
  categoryId: { ...column('category_id'), shownAs: 'category', edit: 'looked up', revision: 'restored' },
  hasPendingEdit: {
    toColumns: () => ({}),
    fromRow: ({ has_pending_edit }) => has_pending_edit === 1,
    shownAs: 'hasPendingEdit',
    edit: 'never',
    revision: 'not compared',
  },
  tags: { ...texts('tags'), shownAs: 'tags', edit: 'looked up', revision: 'restored' },
  tagSlugs: { ...texts('tag_slugs'), shownAs: 'tagSlugs', edit: 'never', revision: 'not compared' },
  aliases: { ...texts('aliases'), shownAs: 'aliases', edit: (aliases) => aliases ?? [], revision: 'compared' },
  seo: {
    toColumns: ({ title, description, canonicalUrl, ogImage }) => ({
      seo_title: title,
      seo_description: description,
      seo_canonical_url: canonicalUrl,
      seo_og_image: ogImage,
    }),
    fromRow: (row) => ({
      title: row.seo_title,
      description: row.seo_description,
      canonicalUrl: row.seo_canonical_url,
      ogImage: row.seo_og_image,
    }),
    shownAs: 'seo',
    edit: (seo) => seo ?? noSeo,
    revision: 'restored',
  },
  createdAt: { ...column('created_at'), shownAs: 'createdAt', edit: 'never', revision: 'not compared' },
  updatedAt: { ...column('updated_at'), shownAs: 'updatedAt', edit: 'never', revision: 'not compared' },
  version: { ...column('version'), shownAs: 'version', edit: 'never', revision: 'not compared' },
  deletedAt: { ...column('deleted_at'), shownAs: null, edit: 'never', revision: 'compared' },
} satisfies { readonly [K in keyof Post]: Field<K> } & Record<keyof PostCreate | keyof PostPatch, unknown>

type Fields = typeof postFields
type ColumnsOf<F> = F extends { toColumns: (value: never) => infer C } ? keyof C : never
type Shown = { [K in keyof Post as Exclude<Fields[K]['shownAs'], null>]: Post[K] }
type Names = Pick<PostBody, 'author' | 'category'>
type RestoredField = { [K in keyof Post]: Fields[K]['revision'] extends 'restored' ? K : never }[keyof Post]
type RevisedKey = { [K in keyof Post]: Fields[K]['revision'] extends 'not compared' ? never : K }[keyof Post]
/** A field that revisions compare, by the name that it has in a representation. */
export type RevisedField = { [K in RevisedKey]: Fields[K]['shownAs'] extends string ? Fields[K]['shownAs'] : K }[RevisedKey]

/** All fields with a common type, for loops. */
interface AnyField {
  toColumns(value: unknown): object
  fromRow(row: PostRow): unknown
  readonly shownAs: string | null
  readonly edit: 'never' | 'looked up' | ((sent: never) => unknown)
  readonly revision: Field<'title'>['revision']
}

const entries = Object.entries(postFields) as readonly (readonly [keyof Post, AnyField])[]
const shown = entries.flatMap(([name, { shownAs }]) => (shownAs === null ? [] : [{ name, shownAs: shownAs as keyof Shown }]))
const restored = entries.flatMap(([name, { revision }]) => (revision === 'restored' ? name : [])) as readonly RestoredField[]
const edits = entries.flatMap(([name, { edit }]) => (typeof edit === 'function' ? [{ name, edit }] : []))

/** The fields that revisions compare, each with its name in a post and in its representation. */
export const revised = entries
  .filter(([, { revision }]) => revision !== 'not compared')
  .map(([name, { shownAs }]) => ({ name: name as RevisedKey, shownAs: (shownAs ?? name) as RevisedField }))

/** A post's whole row. */
export function toRow(projectId: ProjectId, post: Post): Readonly<Pick<PostTable, keyof PostTable>> {
  const row: Pick<PostTable, 'project_id'> = { project_id: projectId }
  for (const [name, { toColumns }] of entries) Object.assign(row, toColumns(post[name]))
  return row as Pick<PostTable, 'project_id' | ColumnsOf<Fields[keyof Post]>>
}

export function toPost(row: PostRow): Post {
  const post: Partial<Record<keyof Post, unknown>> = {}
  for (const [name, { fromRow }] of entries) post[name] = fromRow(row)
  return post as Post
}

/** The representation of a post whose author and category have these names. */
export function represent(post: Post, names: Names): PostBody {
  const body: Partial<Record<keyof Shown, unknown>> = {}
  for (const { name, shownAs } of shown) body[shownAs] = post[name]
  return Object.assign(body as Omit<Shown, keyof Names>, names)
}

/** The edits that a body asks for, except those that need a look-up. */
export function plainEdits(asked: PostPatch): PostEdits {
  return Object.fromEntries(
    edits.flatMap(({ name, edit }) => {
      const sent = (asked as Readonly<Record<string, unknown>>)[name]
      const value = sent === undefined ? undefined : edit(sent as never)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The fields that restoring a revision restores: never status, slug, dates or aliases. */
export function restoredFields(post: Pick<Post, RestoredField>): Pick<Post, RestoredField> {
  return pick(post, restored)
}

export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {}
  for (const name of names) picked[name] = from[name]
  return picked as Pick<T, K>
}

export function contentHash(content: string): string {
  return hash('sha256', content)
}

function column<C extends keyof PostTable>(name: C) {
  return {
    toColumns: (value: PostTable[C]) => ({ [name]: value }) as Pick<PostTable, C>,
    fromRow: (row: PostRow): PostTable[C] => row[name],
  }
}

/** A list of texts, as a JSON array. */
function texts<C extends 'tags' | 'tag_slugs' | 'aliases'>(name: C) {
  return {
    toColumns: (value: readonly string[]) => ({ [name]: JSON.stringify(value) }) as Pick<PostTable, C>,
    fromRow: (row: PostRow) => JSON.parse(row[name]) as readonly string[],
  }
}

/** An instant that posts are sorted by. A sort key is never null, so the column has `''` instead. */
function sortedInstant<C extends 'published_at' | 'scheduled_for'>(name: C) {
  return {
    toColumns: (value: Instant | null) => ({ [name]: value ?? '' }) as Pick<PostTable, C>,
    fromRow: (row: PostRow): Instant | null => row[name] || null,
  }
}

function asSent<V>(value: V): V {
  return value
}

function instant(value: string | null): Instant | null | undefined {
  return value === null ? null : parseInstant(value)
}
