import { type Db, type Tx, WriteConflict } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Caller } from '../caller.ts'
import { responseHorizon, type StoredResponse } from './stored-response.ts'

/** The response that is stored for this caller under an idempotency key. */
export async function findStoredResponse(db: Db, { projectId, actor, now }: Caller, key: string): Promise<StoredResponse | undefined> {
  const row = await db
    .selectFrom('stored_responses')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key_id', '=', actor)
    .where('idempotency_key', '=', key)
    .where('created_at', '>', responseHorizon(now))
    .executeTakeFirst()
  if (!row) return undefined
  const { status, body_state: bodyState, body, request_hash: requestHash, resource_id: resourceId } = row
  return { status, bodyState, body, requestHash, resourceId, headers: JSON.parse(row.headers) as Record<string, string> }
}

/**
 * Stores a response. Replaces an expired one. `WriteConflict` if another transaction has stored one meanwhile, so that a request has one effect
 * even where nothing else keeps its repeats apart.
 */
export async function storeResponse(tx: Tx, { projectId, actor, now }: Caller, key: string, response: StoredResponse): Promise<void> {
  const { status, bodyState, body, resourceId, requestHash } = response
  const row = {
    request_hash: requestHash,
    created_at: now,
    resource_id: resourceId,
    body_state: bodyState,
    status,
    headers: JSON.stringify(response.headers),
    body,
  }
  const stored = await tx
    .insertInto('stored_responses')
    .values({ project_id: projectId, key_id: actor, idempotency_key: key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'key_id', 'idempotency_key'])
        .doUpdateSet(row)
        .where('stored_responses.created_at', '<=', responseHorizon(now)),
    )
    .executeTakeFirst()
  if (stored.numInsertedOrUpdatedRows === 0n) throw new WriteConflict('stored response')
}

/**
 * Erases the stored responses that are this resource, and those that show several things, this one among them. Their keys stay, so that no
 * repeat creates it again.
 */
export async function eraseResponsesWith(tx: Tx, projectId: ProjectId, resourceId: string): Promise<void> {
  await erased(tx, projectId)
    .where((eb) => eb.or([eb('resource_id', '=', resourceId), eb.and([eb('resource_id', '=', ''), eb('body', 'like', `%${resourceId}%`)])]))
    .execute()
}

/** Erases the stored responses that are this resource. Responses that are posts and name it stay: the posts are still there. */
export async function eraseResponsesOf(tx: Tx, projectId: ProjectId, resourceId: string): Promise<void> {
  await erased(tx, projectId).where('resource_id', '=', resourceId).execute()
}

function erased(tx: Tx, projectId: ProjectId) {
  return tx.updateTable('stored_responses').set({ body_state: 'erased', headers: '{}', body: '' }).where('project_id', '=', projectId)
}

/** Deletes at most `most` responses stored at `horizon` or before, and returns their number. */
export async function deleteOldResponses(tx: Tx, projectId: ProjectId, horizon: Instant, most: number): Promise<number> {
  const old = tx
    .selectFrom('stored_responses')
    .select(['key_id', 'idempotency_key'])
    .where('project_id', '=', projectId)
    .where('created_at', '<=', horizon)
    .limit(most)
  const deleted = await tx
    .deleteFrom('stored_responses')
    .where('project_id', '=', projectId)
    .where(({ eb, refTuple }) => eb(refTuple('key_id', 'idempotency_key'), 'in', old.$asTuple('key_id', 'idempotency_key')))
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
