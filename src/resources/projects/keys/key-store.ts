import type { Selectable } from 'kysely'
import { type Scope, scopes, type TokenGrant, type TokenLookUp } from '../../../actions/caller.ts'
import { nextDue } from '../../../actions/next-due-store.ts'
import type { Db, Tx } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { rowHash, withHash } from '../../../database/row-hash.ts'
import type { ApiKeyTable } from '../../../database/tables.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { listPage, type Page } from '../../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../../lists/sort-terms.ts'
import type { KeyId, ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { type ApiKey, endOf } from './api-key.ts'
import type { keyList } from './key-schema.ts'

function lookUps(db: Db, clock: Instant) {
  return db
    .selectFrom('api_keys')
    .innerJoin('project_state', 'project_state.project_id', 'api_keys.project_id')
    .selectAll('api_keys')
    .select(['project_state.revision', 'project_state.public_revision', db.engine.nowSql(clock).as('now')])
    .select(nextDue('api_keys.project_id').as('next_due_at'))
}

const keyLookUp = prepared((db, { hash, clock }: { readonly hash: string; readonly clock: Instant }) =>
  lookUps(db, clock).where('api_keys.hash', '=', hash),
)
const keyLookUps = prepared((db, { hashes, clock }: { readonly hashes: string; readonly clock: Instant }) =>
  lookUps(db, clock).where(db.engine.isAmong('api_keys.hash', hashes)),
)

export async function lookUpKey(db: Db, hash: string): Promise<TokenLookUp | undefined> {
  const [row] = await keyLookUp(db, { hash, clock: db.engine.clock() })
  return row && toLookUp(row)
}

/** Looks up several keys at once. The result has the keys that exist, by hash. */
export async function lookUpKeys(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenLookUp>> {
  const rows = await keyLookUps(db, { hashes: hashes.join(' '), clock: db.engine.clock() })
  return new Map(rows.map((row) => [row.hash, toLookUp(row)]))
}

/** Looks up keys without the counters of their projects, which a sharded database keeps on other servers. */
export async function findKeyGrants(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenGrant>> {
  const rows = await keysAlone(db, { hashes: hashes.join(' '), clock: db.engine.clock() })
  return new Map(rows.map((row) => [row.hash, toGrant(row)]))
}

const keysAlone = prepared((db, { hashes, clock }: { readonly hashes: string; readonly clock: Instant }) =>
  db.selectFrom('api_keys').selectAll().select(db.engine.nowSql(clock).as('now')).where(db.engine.isAmong('api_keys.hash', hashes)),
)

function toLookUp(row: Awaited<ReturnType<typeof keyLookUp>>[number]): TokenLookUp {
  return { ...toGrant(row), revision: row.revision, publicRevision: row.public_revision, nextDueAt: row.next_due_at || null }
}

function toGrant(row: Awaited<ReturnType<typeof keysAlone>>[number]): TokenGrant {
  const key = toKey(row)
  return { projectId: row.project_id, actor: key.id, kind: key.kind, scopes: key.scopes, until: endOf(key), now: row.now }
}

export async function findKey(db: Db, projectId: ProjectId, id: KeyId): Promise<ApiKey | undefined> {
  const row = await keyOf(db, projectId, id).executeTakeFirst()
  return row && toKey(row)
}

/** Nobody else rotates or revokes the key until the transaction ends. */
export async function lockKey(tx: Tx, projectId: ProjectId, id: KeyId): Promise<ApiKey | undefined> {
  const key = keyOf(tx, projectId, id)
  const row = await (tx.engine.skipsLockedRows ? key.forUpdate() : key).executeTakeFirst()
  return row && toKey(row)
}

function keyOf(db: Db, projectId: ProjectId, id: KeyId) {
  return db.selectFrom('api_keys').selectAll().where('project_id', '=', projectId).where('id', '=', id)
}

const sortColumns: SortColumns<(typeof keyList)['sorts'][number]> = {
  created_at: [{ column: 'created_at', type: 'text' }],
  name: [{ column: 'name', type: 'text' }],
}

export async function listKeys(db: Db, projectId: ProjectId, plan: ListPlan<typeof keyList>): Promise<Page<ApiKey>> {
  const found = db.selectFrom('api_keys').selectAll().where('api_keys.project_id', '=', projectId)
  return listPage(found, plan, orderTerms('api_keys', plan.sort, sortColumns), toKey)
}

export async function countValidKeys(db: Db, projectId: ProjectId, now: Instant): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

export async function insertKey(tx: Tx, projectId: ProjectId, key: ApiKey, hash: string): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values(
      withHash('api_keys', {
        project_id: projectId,
        id: key.id,
        name: key.name,
        kind: key.kind,
        scopes: key.scopes.join(' '),
        hash,
        last4: key.last4,
        created_at: key.createdAt,
        expires_at: key.expiresAt,
        last_used_at: key.lastUsedAt,
        revoked_at: key.revokedAt,
      }),
    )
    .execute()
}

export async function saveRevocation(tx: Tx, projectId: ProjectId, id: KeyId, revokedAt: Instant): Promise<void> {
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: revokedAt })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  await tx
    .updateTable('api_keys')
    .set({ row_hash: rowHash(row) })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** Stores a use, unless another node has stored a later one. */
export async function saveKeyUse(tx: Tx, id: KeyId, at: Instant): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
    .execute()
}

function toKey(row: Selectable<ApiKeyTable>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    scopes: row.scopes.split(' ').filter((scope): scope is Scope => (scopes as readonly string[]).includes(scope)),
    last4: row.last4,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
