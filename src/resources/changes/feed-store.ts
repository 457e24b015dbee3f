import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import { type IdOf, type Kind, kinds, type PendingEditId, type PostId, pendingEditId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { FeedName } from './feed.ts'

/** The columns of posts that refer to resources whose names they show; undefined for other kinds. */
const columnsInPosts: Readonly<Record<FeedName, 'posts.author_id' | 'posts.category_id' | undefined>> = {
  author: 'posts.author_id',
  category: 'posts.category_id',
  media: undefined,
  post: undefined,
  pending_edit: undefined,
}

/** The kinds whose changes also change posts. */
export const kindsInPosts: readonly Kind[] = kinds.filter((kind) => columnsInPosts[kind] !== undefined)

/** A change as a key may see it, with the revision that counts for that key. */
export interface VisibleChange {
  readonly revision: number
  readonly kind: FeedName
  readonly id: IdOf<Kind> | PendingEditId
  /** Whether it changes posts that show the resource's name. */
  readonly touchesPosts: boolean
  /** As in the log. */
  readonly actor: string
}

/** The first change at a revision or after it, of any kind. */
export async function findChange(
  db: Db,
  sight: Sight,
  from: number,
): Promise<{ readonly revision: number; readonly at: Instant } | undefined> {
  const row = await visibleChanges(db, sight, from).select('changes.at').limit(1).executeTakeFirst()
  return row && { revision: Number(row.revision), at: row.at }
}

/** Changes of these kinds at a revision or after it, in the order of the log. */
export async function listChanges(
  db: Db,
  sight: Sight,
  { from, kinds, most }: { readonly from: number; readonly kinds: readonly FeedName[]; readonly most: number },
): Promise<readonly VisibleChange[]> {
  if (kinds.length === 0) return []
  const rows = await visibleChanges(db, sight, from)
    .select(['changes.kind', 'changes.resource_id', 'changes.news', 'changes.actor'])
    .where('changes.kind', 'in', kinds)
    .$narrowType<{ kind: FeedName; resource_id: IdOf<Kind> }>()
    .limit(most)
    .execute()
  return rows.map(({ revision, kind, resource_id: id, news, actor }) => ({
    revision: Number(revision),
    kind,
    id: kind === 'pending_edit' ? pendingEditId(id as PostId) : id,
    touchesPosts: columnsInPosts[kind] !== undefined && news === `${kind}.updated`,
    actor,
  }))
}

interface IdRange {
  readonly after: string
  readonly most: number
}

/** Ids of visible posts with an author or a category, sorted. */
export async function listPostsNaming(db: Db, sight: Sight, { kind, id }: VisibleChange, { after, most }: IdRange) {
  const column = columnsInPosts[kind]
  if (column === undefined) return []
  const rows = await visiblePosts(db, sight)
    .select('posts.id')
    .where(sql<boolean>`${sql.ref(column)} = ${id} and posts.id > ${after}`)
    .orderBy('posts.id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** The log as a key sees it: all of it if the key may see drafts, else the public changes under public revisions. */
function visibleChanges(db: Db, { projectId, drafts }: Sight, from: number) {
  const column = drafts ? 'changes.seq' : 'changes.public_seq'
  return db
    .selectFrom('changes')
    .select(`${column} as revision`)
    .where('changes.project_id', '=', projectId)
    .where(column, '>=', from)
    .orderBy(column)
}
