import { type PostId, pendingEditId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { Problem } from '../../../values/problems.ts'
import { byPath } from '../../site/alias.ts'
import { byFolded, type NamedTag, type Post, type PostEdits } from '../post.ts'
import { represent } from '../post-fields.ts'
import { editedFields, type PendingEdit as PendingEditBody, type PendingEditNotice } from './pending-edit-schema.ts'

/** What problems call it. */
export const noun = 'pending edit'

/** What a post is going to be (docs/decisions/0057-pending-edits.md). */
export interface PendingEdit {
  readonly postId: PostId
  readonly version: number
  /** The version of the post that it started from. */
  readonly basedOn: number
  /** The fields that differ from that version. */
  readonly edits: FieldValues
  /** Who saved it last. */
  readonly actor: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** When the clock applies it. */
  readonly scheduledFor: Instant | null
  /** Why the clock could not apply it. */
  readonly problem: ClockProblem | null
  /** What it was before its last save; null if that began it. */
  readonly previous: EditState | null
}

/** What a save of a pending edit changes. */
export type EditState = Pick<PendingEdit, 'edits' | 'basedOn' | 'scheduledFor' | 'problem'>

export interface ClockProblem {
  readonly code: string
  readonly detail: string
  /** The instant for which the edit was scheduled. */
  readonly at: Instant
}

type EditedField = (typeof editedFields)[number]

type PlainField = Exclude<EditedField, `seo.${string}`>
type AllValues = Pick<Post, PlainField> & { readonly [F in Exclude<EditedField, PlainField>]: string | null }
/** Values of some fields; serialisable. */
export type FieldValues = Partial<AllValues>

/** A field that has changed on both sides since the pending edit began. */
interface FieldConflict {
  readonly field: EditedField
  /** In the post. */
  readonly post: unknown
  /** In the pending edit. */
  readonly pending: unknown
}

/** The values of a post. */
function valuesOf({ title, slug, content, excerpt, authorId, categoryId, tags, aliases, seo }: Post): AllValues {
  return {
    title,
    slug,
    content,
    excerpt,
    authorId,
    categoryId,
    tags,
    aliases,
    'seo.title': seo.title,
    'seo.description': seo.description,
    'seo.canonicalUrl': seo.canonicalUrl,
    'seo.ogImage': seo.ogImage,
  }
}

/** The values that edits ask for. Tags are known by their names until the edit is applied. */
export function valuesIn({ seo, aliases, tags: _, ...plain }: PostEdits, tags: readonly string[] | undefined): FieldValues {
  const { status, publishedAt, scheduledFor, ...fields } = plain
  const ofSeo = Object.entries(seo ?? {}).map(([name, value]) => [`seo.${name}`, value])
  return {
    ...fields,
    ...(aliases && { aliases: [...byPath(aliases).values()] }),
    ...(tags && { tags: [...byFolded(tags).values()] }),
    ...Object.fromEntries(ofSeo),
  }
}

/** The edits of a pending edit after a save: what differs from the version that it is based on. */
export function savedEdits(base: Post, before: FieldValues, patch: FieldValues): FieldValues {
  const original = valuesOf(base)
  const wanted = { ...before, ...patch }
  return Object.fromEntries(editedFields.flatMap((field) => (differs(wanted, original, field) ? [[field, wanted[field]]] : [])))
}

/** The edited fields that the post has changed, too, since the version that the edit is based on. The same change on both sides is none. */
export function conflictsIn(post: Post, base: Post, edits: FieldValues): readonly FieldConflict[] {
  const [now, original] = [valuesOf(post), valuesOf(base)]
  return editedFields.flatMap((field) =>
    differs(now, original, field) && differs(edits, now, field) ? [{ field, post: now[field], pending: edits[field] }] : [],
  )
}

export function isSameEdit(a: PendingEdit, b: PendingEdit): boolean {
  const { edits: mine, ...rest } = a
  const { edits: theirs, ...others } = b
  return isEqual(rest, others) && editedFields.every((field) => isEqual(mine[field], theirs[field]))
}

/** The edits as those of a PATCH, with their tags looked up. */
export function toPostEdits(edits: FieldValues, tags: readonly NamedTag[] | undefined): PostEdits {
  const plain = Object.entries(edits).filter(([field]) => !field.startsWith('seo.') && field !== 'tags')
  const seo = Object.entries(edits).filter(([field]) => field.startsWith('seo.'))
  return {
    ...(Object.fromEntries(plain) as PostEdits),
    ...(tags && { tags }),
    ...(seo.length > 0 && { seo: Object.fromEntries(seo.map(([field, value]) => [field.slice('seo.'.length), value])) }),
  }
}

/** The post as it would be. */
export function withEdits(post: Post, edits: FieldValues, tags: readonly NamedTag[] | undefined): Post {
  const { tags: named, seo, ...plain } = toPostEdits(edits, tags)
  return {
    ...post,
    ...plain,
    ...(named && { tags: named.map(({ name }) => name), tagSlugs: named.map(({ slug }) => slug) }),
    seo: { ...post.seo, ...seo },
  }
}

/** The edits as they would be applied. Like those of a revision that is restored, an author or category that was deleted becomes null. */
export function remainingEdits(edits: FieldValues, { author, category }: Names): FieldValues {
  return {
    ...edits,
    ...(edits.authorId !== undefined && { authorId: author ? edits.authorId : null }),
    ...(edits.categoryId !== undefined && { categoryId: category ? edits.categoryId : null }),
  }
}

/** Whether author or category are edited. */
export function editsReferences({ authorId, categoryId }: FieldValues): boolean {
  return authorId !== undefined || categoryId !== undefined
}

type Names = Parameters<typeof represent>[1]

/** A post as its pending edit would make it. */
export interface WouldBe {
  readonly post: Post
  readonly names: Names
  readonly conflicts: readonly FieldConflict[]
  /** Of the person or API key that saved it last; null if it was neither. */
  readonly actorName: string | null
}

/** The representation of a pending edit. */
export function representPending({ post, names, conflicts, actorName }: WouldBe, edit: PendingEdit): PendingEditBody {
  const { version, basedOn, edits, actor, updatedAt, scheduledFor, problem } = edit
  return {
    ...represent({ ...post, version, updatedAt, scheduledFor, hasPendingEdit: true }, names),
    basedOn,
    actor,
    actorName,
    changed: fieldsIn(edits),
    conflicts: conflicts.map(({ field }) => field),
    problem,
  }
}

/** What the changes feed tells of a pending edit. */
export function noticeOf({ postId, version, basedOn, edits, actor, updatedAt, scheduledFor, problem }: PendingEdit): PendingEditNotice {
  const changed = fieldsIn(edits)
  return { id: pendingEditId(postId), postId, version, basedOn, changed, actor, updatedAt, scheduledFor, problem }
}

function fieldsIn(edits: FieldValues): EditedField[] {
  return editedFields.filter((field) => edits[field] !== undefined)
}

/** 409 `pending_conflict` with both values of each field. */
export function pendingConflict(post: Post, conflicts: readonly FieldConflict[]): Problem {
  const names = conflicts.map(({ field }) => field).join(', ')
  return new Problem('pending_conflict', `Since this edit began, the post has changed, too: ${names}.`, {
    errors: conflicts.map(({ field }) => ({
      pointer: `/${field.replace('.', '/')}`,
      code: 'changed_on_both_sides',
      detail: `${field} has changed in the post and in the pending edit.`,
    })),
    members: { version: post.version, conflicts },
  })
}

/** Whether a field is edited and differs from a whole set of values. */
function differs(edits: FieldValues, values: AllValues, field: EditedField): boolean {
  const [mine, theirs] = [edits[field], values[field]]
  return mine !== undefined && !isEqual(mine, theirs)
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
