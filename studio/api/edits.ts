import { type Post, Problem, type ProjectApi } from './verso.ts'

/** What one edits of a post. */
export type EditFields = Pick<Post, 'title' | 'slug' | 'content' | 'excerpt' | 'tags' | 'aliases' | 'seo'> & {
  readonly authorId: string | null
  readonly categoryId: string | null
}
export type FieldName = keyof EditFields

export const fieldNames: readonly FieldName[] = ['title', 'slug', 'content', 'excerpt', 'authorId', 'categoryId', 'tags', 'aliases', 'seo']

export const emptyFields: EditFields = {
  title: '',
  slug: '',
  content: '',
  excerpt: null,
  tags: [],
  aliases: [],
  authorId: null,
  categoryId: null,
  seo: { title: null, description: null, canonicalUrl: null, ogImage: null },
}

export function fieldsOf(post: Omit<Post, 'hasPendingEdit'>): EditFields {
  const { title, slug, content, excerpt, tags, aliases, seo, author, category } = post
  return { title, slug, content, excerpt, tags, aliases, seo, authorId: author?.id ?? null, categoryId: category?.id ?? null }
}

export const isSame = (a: unknown, b: unknown) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))

/** The fields of `after` that differ from `before`. */
export function changedFields(before: EditFields, after: EditFields): Partial<EditFields> {
  return Object.fromEntries(fieldNames.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name]]))
}

/** The fields that are not among others. */
export function without<T extends object>(fields: T, others: object): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in others))) as Partial<T>
}

export type PendingEdit = Awaited<ReturnType<typeof saveEdit>>

/** A post, and what it is going to be. */
export interface Edited {
  readonly post: Post
  readonly pending: PendingEdit | undefined
}

export async function readEdited({ verso }: ProjectApi, id: string, signal?: AbortSignal): Promise<Edited> {
  const post = await verso.posts.get(id, {}, { signal })
  if (!post.hasPendingEdit) return { post, pending: undefined }
  const pending = await verso.request('GET /v1/posts/{idOrSlug}/pending', { idOrSlug: id }, { signal }).catch((error: unknown) => {
    // It was applied or discarded just now.
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  })
  return { post, pending }
}

interface SaveOptions {
  /** The version of the pending edit that is changed; none if there is none yet. */
  readonly version: number | undefined
  /** The version of the post that the edit continues. */
  readonly basedOn?: number | undefined
}

/** Saves fields as the pending edit. `stale_version` if somebody else has saved it meanwhile. */
export function saveEdit({ impatient }: ProjectApi, id: string, fields: Partial<EditFields>, { version, basedOn }: SaveOptions) {
  const condition = version === undefined ? { headers: { 'if-none-match': '*' } } : { ifMatch: version }
  const body = { ...fields, ...(basedOn !== undefined && { basedOn }) }
  return impatient.request('PATCH /v1/posts/{idOrSlug}/pending', { idOrSlug: id, body }, condition)
}

/** Hears, until it is stopped, when pending edits are saved (their version), or applied or discarded (none). What is there comes first. */
export async function* editsSaved({ verso }: ProjectApi, signal: AbortSignal) {
  for await (const { data } of verso.changes({ types: ['pending_edit'], wait: 25, signal }))
    for (const change of data)
      if (change.action === 'delete' || change.type === 'pending_edit')
        // `edit_…` has the rest of the id of its post.
        yield { postId: change.id.replace('edit_', 'post_'), version: change.action === 'upsert' ? change.data.version : undefined }
}

/** Makes a draft. Verso makes its slug from the title. */
export function createPost({ impatient }: ProjectApi, { slug, ...fields }: EditFields, idempotencyKey: string): Promise<Post> {
  return impatient.posts.create({ ...fields, ...(slug !== '' && { slug }) }, { idempotencyKey })
}

/** The fields of an older version of a post. */
export async function readVersion({ verso }: ProjectApi, id: string, version: number): Promise<EditFields> {
  const revision = await verso.request('GET /v1/posts/{idOrSlug}/revisions/{version}', { idOrSlug: id, version: String(version) })
  return fieldsOf(revision)
}

/** The fields that a problem names, with what is wrong with them. */
export function faultsIn(problem: Problem, sent: Partial<EditFields>): Partial<Record<FieldName, string>> {
  if (problem.code === 'slug_conflict') return { slug: problem.message }
  if (problem.code === 'alias_conflict') return { aliases: problem.message }
  const named = problem.errors.map(({ pointer = '', detail }) => [pointer.split('/')[1] ?? '', detail] as const)
  return Object.fromEntries(named.filter(([name]) => name in sent))
}
