import { type PendingEdit, type Post, Problem, type RequestOptions, type Verso } from './verso.ts'

/** What one edits of a post. */
export type EditFields = Pick<Post, 'title' | 'slug' | 'content' | 'excerpt' | 'tags' | 'aliases' | 'seo'> & {
  readonly authorId: string | null
  readonly categoryId: string | null
}
export type FieldName = keyof EditFields

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

export const fieldNames = Object.keys(emptyFields) as readonly FieldName[]

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

/** A post, and what it is going to be. */
export interface Edited {
  readonly post: Post
  readonly pending: PendingEdit | undefined
}

export async function readEdited(verso: Verso, id: string, stop?: RequestOptions): Promise<Edited> {
  const post = await verso.posts.get(id, {}, stop)
  if (!post.hasPendingEdit) return { post, pending: undefined }
  const pending = await verso.request('GET /v1/posts/{idOrSlug}/pending', { idOrSlug: id }, stop).catch((error: unknown) => {
    // It was applied or discarded just now.
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  })
  return { post, pending }
}

/** For what is kept here anyway, and tried again soon: one hears at once that Verso cannot be reached. */
const impatient = { retries: 0, timeoutMs: 15_000 }

/** Saves fields as the pending edit, the first one or that after `before`. `stale_version` if somebody else has saved it meanwhile. */
export function saveEdit(
  verso: Verso,
  id: string,
  body: Partial<EditFields> & { readonly basedOn?: number },
  before: PendingEdit | undefined,
) {
  const condition = before ? { ifMatch: before } : { headers: { 'if-none-match': '*' } }
  return verso.request('PATCH /v1/posts/{idOrSlug}/pending', { idOrSlug: id, body }, { ...impatient, ...condition })
}

/** Makes a draft. Verso makes its slug from the title. */
export function createPost(verso: Verso, { slug, ...fields }: EditFields, idempotencyKey: string): Promise<Post> {
  return verso.posts.create({ ...fields, ...(slug !== '' && { slug }) }, { ...impatient, idempotencyKey })
}

/** The fields of an older version of a post. */
export async function readVersion(verso: Verso, id: string, version: number): Promise<EditFields> {
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
