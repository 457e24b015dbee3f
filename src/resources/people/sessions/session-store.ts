import type { Selectable } from 'kysely'
import type { TokenGrant, TokenLookUp } from '../../../actions/caller.ts'
import { nextDue } from '../../../actions/next-due-store.ts'
import type { Db, Tx } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { withHash } from '../../../database/row-hash.ts'
import type { PeopleTables } from '../../../database/tables/people-tables.ts'
import type { PersonId, ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { type Role, roleScopes } from '../person.ts'
import { endOf, type Session } from './session.ts'

/** The session of a cookie, unless it has ended. */
export async function findSession(db: Db, hash: string, now: Instant): Promise<Session | undefined> {
  return current(await sessionOf(db, hash).executeTakeFirst(), now)
}

/** The same, and until the transaction ends, nobody ends the session. Whoever ends one deletes its tokens after it. */
export async function holdSession(tx: Tx, hash: string, now: Instant): Promise<Session | undefined> {
  const query = sessionOf(tx, hash)
  return current(await (tx.engine.skipsLockedRows ? query.forUpdate() : query).executeTakeFirst(), now)
}

function sessionOf(db: Db, hash: string) {
  return db.selectFrom('sessions').selectAll().where('hash', '=', hash)
}

function current(row: Selectable<PeopleTables['sessions']> | undefined, now: Instant): Session | undefined {
  if (!row) return undefined
  const { id, person_id: personId, created_at: createdAt, expires_at: expiresAt, last_used_at: used } = row
  const session = { id, personId, createdAt, expiresAt, lastUsedAt: used ?? createdAt }
  return endOf(session) > now ? session : undefined
}

export async function insertSession(tx: Tx, { id, personId, createdAt, expiresAt, lastUsedAt }: Session, hash: string): Promise<void> {
  const row = { id, person_id: personId, hash, created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt }
  await tx.insertInto('sessions').values(withHash('sessions', row)).execute()
  await saveSeen(tx, personId, createdAt)
}

export async function saveSessionUse(tx: Tx, { id, personId }: Session, now: Instant): Promise<void> {
  await tx.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id).execute()
  await saveSeen(tx, personId, now)
}

async function saveSeen(tx: Tx, personId: PersonId, now: Instant): Promise<void> {
  await tx.updateTable('people').set({ last_used_at: now }).where('id', '=', personId).execute()
}

export async function deleteSession(tx: Tx, hash: string): Promise<void> {
  const row = await tx.deleteFrom('sessions').where('hash', '=', hash).returning('id').executeTakeFirst()
  if (row) await tx.deleteFrom('session_tokens').where('session_id', '=', row.id).execute()
}

interface NewSessionToken {
  readonly hash: string
  readonly session: Session
  readonly projectId: ProjectId
  readonly expiresAt: Instant
}

export async function insertSessionToken(tx: Tx, { hash, session, projectId, expiresAt }: NewSessionToken): Promise<void> {
  const row = { hash, session_id: session.id, person_id: session.personId, project_id: projectId, expires_at: expiresAt }
  await tx.insertInto('session_tokens').values(row).execute()
}

/** What a session shows of its person. */
export async function findSignedIn(db: Db, personId: PersonId) {
  const person = await db.selectFrom('people').select(['id', 'name', 'password']).where('id', '=', personId).executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const projects = await db
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select(['projects.id', 'projects.slug', 'projects.name', 'memberships.role'])
    .where('memberships.person_id', '=', personId)
    .orderBy('projects.name')
    .orderBy('projects.id')
    .execute()
  return { person: { id: person.id, name: person.name, hasPassword: person.password !== null, passkeys }, projects }
}

/** The role of a person in a project. Until the transaction ends, nobody takes it away. */
export async function holdRole(
  tx: Tx,
  projectId: string,
  personId: PersonId,
): Promise<{ readonly projectId: ProjectId; readonly role: Role } | undefined> {
  const query = tx
    .selectFrom('memberships')
    .select(['project_id', 'role'])
    .where('project_id', '=', projectId as ProjectId)
    .where('person_id', '=', personId)
  const row = await (tx.engine.skipsLockedRows ? query.forShare() : query).executeTakeFirst()
  return row && { projectId: row.project_id, role: row.role }
}

/** A person and the hash of their password, if they have one. */
export interface Credentials {
  readonly personId: PersonId
  readonly password: string | null
}

/** Whoever signs in by name. */
export async function findCredentials(db: Db, folded: string): Promise<Credentials | undefined> {
  const row = await db.selectFrom('people').select(['id', 'password']).where('folded', '=', folded).executeTakeFirst()
  return row && { personId: row.id, password: row.password }
}

export async function findPassword(db: Db, personId: PersonId): Promise<string | null> {
  const row = await db.selectFrom('people').select('password').where('id', '=', personId).executeTakeFirst()
  return row?.password ?? null
}

/** The same, and until the transaction ends, nobody else changes how this person signs in. */
export async function holdPassword(tx: Tx, personId: PersonId): Promise<string | null> {
  const query = tx.selectFrom('people').select('password').where('id', '=', personId)
  const row = await (tx.engine.skipsLockedRows ? query.forUpdate() : query).executeTakeFirst()
  return row?.password ?? null
}

/** Whether the session is still there: a sign-out or another password may have ended it since it was read. */
export async function hasSession(tx: Tx, { id }: Session): Promise<boolean> {
  return (await tx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

function tokens(db: Db, clock: Instant) {
  return db
    .selectFrom('session_tokens')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.project_id', '=', 'session_tokens.project_id')
        .onRef('memberships.person_id', '=', 'session_tokens.person_id'),
    )
    .select([
      'session_tokens.hash',
      'session_tokens.project_id',
      'session_tokens.person_id',
      'session_tokens.expires_at',
      'memberships.role',
      db.engine.nowSql(clock).as('now'),
    ])
}

function lookUps(db: Db, clock: Instant) {
  return tokens(db, clock)
    .innerJoin('project_state', 'project_state.project_id', 'session_tokens.project_id')
    .select(['project_state.revision', 'project_state.public_revision', nextDue('session_tokens.project_id').as('next_due_at')])
}

const tokenLookUp = prepared((db, { hash, clock }: { readonly hash: string; readonly clock: Instant }) =>
  lookUps(db, clock).where('session_tokens.hash', '=', hash),
)
const tokenLookUps = prepared((db, { hashes, clock }: { readonly hashes: string; readonly clock: Instant }) =>
  lookUps(db, clock).where(db.engine.isAmong('session_tokens.hash', hashes)),
)

/** The role is read with each look-up, so that another one counts at once. */
export async function lookUpSessionToken(db: Db, hash: string): Promise<TokenLookUp | undefined> {
  const [row] = await tokenLookUp(db, { hash, clock: db.engine.clock() })
  return row && toLookUp(row)
}

/** Looks up several tokens at once. The result has those that exist, by hash. */
export async function lookUpSessionTokens(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenLookUp>> {
  const rows = await tokenLookUps(db, { hashes: hashes.join(' '), clock: db.engine.clock() })
  return new Map(rows.map((row) => [row.hash, toLookUp(row)]))
}

/** The same without what their projects have, for a database that keeps projects elsewhere. */
export async function findSessionGrants(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenGrant>> {
  const rows = await tokensAlone(db, { hashes: hashes.join(' '), clock: db.engine.clock() })
  return new Map(rows.map((row) => [row.hash, toGrant(row)]))
}

const tokensAlone = prepared((db, { hashes, clock }: { readonly hashes: string; readonly clock: Instant }) =>
  tokens(db, clock).where(db.engine.isAmong('session_tokens.hash', hashes)),
)

function toLookUp(row: Awaited<ReturnType<typeof tokenLookUp>>[number]): TokenLookUp {
  return { ...toGrant(row), revision: row.revision, publicRevision: row.public_revision, nextDueAt: row.next_due_at || null }
}

function toGrant(row: Awaited<ReturnType<typeof tokensAlone>>[number]): TokenGrant {
  return {
    projectId: row.project_id,
    actor: row.person_id,
    kind: 'secret',
    scopes: roleScopes[row.role],
    until: row.expires_at,
    now: row.now,
  }
}

/** Deletes what has expired; a session that nobody used ends by itself. */
export async function deleteExpired(tx: Tx, now: Instant, idleSince: Instant): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_used_at', '<=', idleSince)]))
    .execute()
  await tx.deleteFrom('session_tokens').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('person_links').where('expires_at', '<=', now).execute()
}
