import type { Caller } from '../../actions/caller.ts'
import type { Tx } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { Post } from './post.ts'
import { takeAliases } from './post-alias-store.ts'
import { toRow } from './post-fields.ts'
import { endRedirects, indexPosts, keepRevisions, saveContent, toRevisionRow } from './post-save-store.ts'
import { slugClaim } from './post-slug-store.ts'
import { tagPosts } from './post-tag-store.ts'

/** Inserts a new post and its first revision. False if another post has the slug; nothing is written then. */
export async function insertPost(tx: Tx, caller: Caller, post: Post): Promise<boolean> {
  if (!(await (tx.engine.writesInside ? insertTogether(tx, caller, post, { fresh: false }) : insertOneByOne(tx, caller, post))))
    return false
  await namePost(tx, caller, post)
  return true
}

/**
 * Inserts a post in one statement that also checks the slug. It is also false if a post had the slug before, if another transaction is about
 * to take it, and if the engine cannot do this in one statement.
 */
export async function insertFreshPost(tx: Tx, caller: Caller, post: Post): Promise<boolean> {
  if (!tx.engine.writesInside || !(await insertTogether(tx, caller, post, { fresh: true }))) return false
  await namePost(tx, caller, post)
  return true
}

/** Writes the tags, aliases and words of a new post, and ends redirects from its slug. */
async function namePost(tx: Tx, { projectId }: Caller, post: Post): Promise<void> {
  await tagPosts(tx, projectId, [post])
  await takeAliases(tx, projectId, [post])
  await indexPosts(tx, projectId, [post])
  await endRedirects(tx, projectId, undefined, post)
}

async function insertOneByOne(tx: Tx, caller: Caller, post: Post): Promise<boolean> {
  const inserted = await insertRow(tx, toRow(caller.projectId, post))
  if (inserted.length === 0) return false
  await saveContent(tx, caller.projectId, post)
  await keepRevisions(tx, caller, [post])
  return true
}

async function insertTogether(tx: Tx, caller: Caller, post: Post, shape: { readonly fresh: boolean }): Promise<boolean> {
  const { snapshot, actor, client, row_hash } = toRevisionRow(caller, post)
  const name = slugClaim(caller.projectId, post.slug)
  const inserted = await insertAll(
    tx,
    { ...toRow(caller.projectId, post), name, body: post.content, snapshot, actor, client, row_hash },
    shape,
  )
  return inserted.length > 0
}

type NewRow = ReturnType<typeof toRow>

const insertRow = prepared((tx: Tx, row: NewRow) =>
  tx
    .insertInto('posts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).where('deleted_at', 'is', null).doNothing())
    .returning('id'),
)

/** The last four are of its revision. */
type WholePost = NewRow & Readonly<Record<'name' | 'body' | 'snapshot' | 'actor' | 'row_hash', string>> & { readonly client: string | null }

const insertAll = prepared(
  (tx: Tx, { name, body, snapshot, actor, client, row_hash, ...row }: WholePost, { fresh }: { readonly fresh: boolean }) => {
    const columns = Object.keys(row) as (keyof NewRow)[]
    return tx
      .with('free', (db) => {
        const yes = db.selectNoFrom((eb) => eb.lit(1).as('yes'))
        const claim = fresh ? tx.engine.writesInside?.claim(name) : undefined
        return claim ? yes.where(claim).where((eb) => eb.not(eb.exists(formerSlug(db, row)))) : yes
      })
      .with('post', (db) =>
        db
          .insertInto('posts')
          .columns(columns)
          .expression((eb) => eb.selectFrom('free').select(columns.map((column) => eb.val(row[column]).as(column))))
          .onConflict((conflict) => conflict.columns(['project_id', 'slug']).where('deleted_at', 'is', null).doNothing())
          .returning(['id', 'project_id', 'content_hash', 'version', 'updated_at']),
      )
      .with('content', (db) =>
        db
          .insertInto('contents')
          .columns(['project_id', 'post_id', 'hash', 'body'])
          .expression((eb) => eb.selectFrom('post').select(['project_id', 'id', 'content_hash', eb.val(body).as('body')]))
          .onConflict((conflict) => conflict.doNothing()),
      )
      .with('revision', (db) =>
        db
          .insertInto('post_revisions')
          .columns(['project_id', 'post_id', 'version', 'content_hash', 'created_at', 'snapshot', 'actor', 'client', 'row_hash'])
          .expression((eb) =>
            eb
              .selectFrom('post')
              .select([
                'project_id',
                'id',
                'version',
                'content_hash',
                'updated_at',
                eb.val(snapshot).as('snapshot'),
                eb.val(actor).as('actor'),
                eb.val(client).as('client'),
                eb.val(row_hash).as('row_hash'),
              ]),
          ),
      )
      .selectFrom('post')
      .select('id')
  },
)

function formerSlug(db: Pick<Tx, 'selectFrom'>, { project_id, slug }: Pick<NewRow, 'project_id' | 'slug'>) {
  return db.selectFrom('old_slugs').select('slug').where('project_id', '=', project_id).where('slug', '=', slug)
}
