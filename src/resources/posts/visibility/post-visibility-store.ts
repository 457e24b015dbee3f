import { type Scope, scopes, withIncluded } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { KeyId, PostId, ProjectId } from '../../../values/ids.ts'
import type { PostPast, Reader } from './post-visibility.ts'

/** What decides which posts a key of the project sees. */
export async function findReader(db: Db, projectId: ProjectId, id: KeyId): Promise<Reader | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['scopes', 'created_at', 'expires_at', 'revoked_at'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const granted = row.scopes.split(' ').filter((scope): scope is Scope => (scopes as readonly string[]).includes(scope))
  return { scopes: withIncluded(granted), createdAt: row.created_at, expiresAt: row.expires_at, revokedAt: row.revoked_at }
}

/** When the post last became public, when it last became hidden, when it was last restored from the trash, and when it was created. */
export async function findPast(db: Db, projectId: ProjectId, postId: PostId): Promise<PostPast> {
  const last = (publicBefore: 0 | 1, publicAfter: 0 | 1) =>
    changesOf(db, projectId, postId).where('public_before', '=', publicBefore).where('public_after', '=', publicAfter)
  const told = (news: string) => changesOf(db, projectId, postId).where('news', 'like', `%${news}%`)
  const [appeared, vanished, restored, created] = await Promise.all([
    last(0, 1).executeTakeFirst(),
    last(1, 0).executeTakeFirst(),
    told('post.restored').executeTakeFirst(),
    told('post.created').executeTakeFirst(),
  ])
  return {
    appearedAt: appeared?.at ?? null,
    vanishedAt: vanished?.at ?? null,
    restoredAt: restored?.at ?? null,
    createdAt: created?.at ?? null,
  }
}

function changesOf(db: Db, projectId: ProjectId, postId: PostId) {
  return db
    .selectFrom('changes')
    .select('at')
    .where('project_id', '=', projectId)
    .where('resource_id', '=', postId)
    .orderBy('seq', 'desc')
    .limit(1)
}
