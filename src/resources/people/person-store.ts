import type { Db, Tx } from '../../database/engine.ts'
import { rowHash, withHash } from '../../database/row-hash.ts'
import type { PeopleTables } from '../../database/tables/people-tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import type { PersonId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { foldedName, type Person, type Role } from './person.ts'
import type { personList } from './person-schema.ts'

/** Where, and when: a link that has expired is none. */
interface Here {
  readonly projectId: ProjectId
  readonly now: Instant
}

/** What identifies a person, apart from any project. */
interface KnownPerson {
  readonly id: PersonId
  readonly name: string
  /** Whether they can sign in. */
  readonly isReady: boolean
}

const sortColumns: SortColumns<(typeof personList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
}

export async function listPeople(db: Db, here: Here, plan: ListPlan<typeof personList>): Promise<Page<Person>> {
  return listPage(members(db, here), plan, orderTerms('people', plan.sort, sortColumns), toPerson)
}

export async function findPerson(db: Db, here: Here, id: string): Promise<Person | undefined> {
  const row = await members(db, here)
    .where('people.id', '=', id as PersonId)
    .executeTakeFirst()
  return row && toPerson(row)
}

function members(db: Db, { projectId, now }: Here) {
  return db
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['people.id', 'people.name', 'people.password', 'people.created_at', 'people.last_used_at', 'memberships.role'])
    .select((eb) => [
      eb
        .selectFrom('passkeys')
        .select((on) => on.fn.countAll<number | string>().as('count'))
        .whereRef('passkeys.person_id', '=', 'people.id')
        .as('passkeys'),
      eb
        .selectFrom('person_links')
        .select('person_links.expires_at')
        .whereRef('person_links.person_id', '=', 'people.id')
        .where('person_links.expires_at', '>', now)
        .as('link_expires_at'),
    ])
    .where('memberships.project_id', '=', projectId)
}

function toPerson(row: Awaited<ReturnType<ReturnType<typeof members>['execute']>>[number]): Person {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    hasPassword: row.password !== null,
    passkeys: Number(row.passkeys),
    linkExpiresAt: row.link_expires_at,
    createdAt: row.created_at,
    lastSeenAt: row.last_used_at,
  }
}

/** The person with this name, in any project. Until the transaction ends, nobody takes a role of theirs away. */
export async function holdByName(tx: Tx, name: string): Promise<KnownPerson | undefined> {
  const named = tx
    .selectFrom('people')
    .select(['id', 'name', 'password'])
    .select((eb) =>
      eb
        .selectFrom('passkeys')
        .select((on) => on.fn.countAll<number | string>().as('count'))
        .whereRef('passkeys.person_id', '=', 'people.id')
        .as('passkeys'),
    )
    .where('folded', '=', foldedName(name))
  const row = await (tx.engine.skipsLockedRows ? named.forUpdate() : named).executeTakeFirst()
  return row && { id: row.id, name: row.name, isReady: row.password !== null || Number(row.passkeys) > 0 }
}

/** Until the transaction ends, nobody gives or takes away a role of this person. */
export async function holdPerson(tx: Tx, id: string): Promise<void> {
  const person = tx
    .selectFrom('people')
    .select('id')
    .where('id', '=', id as PersonId)
  await (tx.engine.skipsLockedRows ? person.forUpdate() : person).execute()
}

/** The projects in which a person has a role. */
export async function listMemberships(
  db: Db,
  personId: PersonId,
): Promise<readonly { readonly projectId: ProjectId; readonly role: Role }[]> {
  const rows = await db
    .selectFrom('memberships')
    .select(['project_id', 'role'])
    .where('person_id', '=', personId)
    .orderBy('project_id')
    .execute()
  return rows.map((row) => ({ projectId: row.project_id, role: row.role }))
}

/** Whether another person is an owner, too. Locks the owners, so that two of them cannot leave at the same moment. */
export async function hasOtherOwner(tx: Tx, projectId: ProjectId, personId: PersonId): Promise<boolean> {
  const owners = tx.selectFrom('memberships').select('person_id').where('project_id', '=', projectId).where('role', '=', 'owner')
  const rows = await (tx.engine.skipsLockedRows ? owners.forUpdate() : owners).execute()
  return rows.some((row) => row.person_id !== personId)
}

/** False if the name is taken. */
export async function insertPerson(
  tx: Tx,
  { id, name, now }: { readonly id: PersonId; readonly name: string; readonly now: Instant },
): Promise<boolean> {
  const row = { id, name, folded: foldedName(name), password: null, created_at: now, last_used_at: null, removed_at: null }
  const inserted = await tx
    .insertInto('people')
    .values(withHash('people', row))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False if the name is taken. */
export async function savePersonName(tx: Tx, id: PersonId, name: string): Promise<boolean> {
  const other = await tx.selectFrom('people').select('id').where('folded', '=', foldedName(name)).where('id', '!=', id).executeTakeFirst()
  if (other) return false
  await change(tx, id, { name, folded: foldedName(name) })
  return true
}

/** `hash` in the PHC string format. */
export async function savePassword(tx: Tx, id: PersonId, hash: string): Promise<void> {
  await change(tx, id, { password: hash })
}

/** Ends all that a person signs in with, and every session: what a one-time link sets comes in its place. */
export async function forgetSignIn(tx: Tx, id: PersonId): Promise<void> {
  await change(tx, id, { password: null })
  await tx.deleteFrom('passkeys').where('person_id', '=', id).execute()
  await deleteSessions(tx, id)
}

/** The name stays, for the history of what they wrote; it is free for another person. */
export async function saveRemoval(tx: Tx, id: PersonId, now: Instant): Promise<void> {
  await tx.deleteFrom('person_links').where('person_id', '=', id).execute()
  await tx.deleteFrom('passkeys').where('person_id', '=', id).execute()
  await change(tx, id, { folded: null, password: null, removed_at: now })
}

async function change(tx: Tx, id: PersonId, values: Partial<Omit<PeopleTables['people'], 'row_hash'>>): Promise<void> {
  await tx.updateTable('people').set(values).where('id', '=', id).execute()
  const row = await tx.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
  if (row)
    await tx
      .updateTable('people')
      .set({ row_hash: rowHash(row) })
      .where('id', '=', id)
      .execute()
}

interface Membership extends Here {
  readonly personId: PersonId
  readonly role: Role
}

/** Gives a person a role, or another one. */
export async function saveMembership(tx: Tx, { projectId, personId, role, now }: Membership): Promise<void> {
  const row = withHash('memberships', { project_id: projectId, person_id: personId, role, created_at: now })
  await tx
    .insertInto('memberships')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'person_id']).doUpdateSet({ role, created_at: now, row_hash: row.row_hash }))
    .execute()
}

/** With the tokens for the project, so that none works again should the person come back. */
export async function deleteMembership(tx: Tx, projectId: ProjectId, personId: PersonId): Promise<void> {
  await tx.deleteFrom('memberships').where('project_id', '=', projectId).where('person_id', '=', personId).execute()
  await deleteProjectTokens(tx, projectId, personId)
}

interface NewLink {
  readonly personId: PersonId
  readonly hash: string
  readonly now: Instant
  readonly expiresAt: Instant
}

/** A new link replaces the one before. */
export async function saveLink(tx: Tx, { personId, hash, now, expiresAt }: NewLink): Promise<void> {
  await deleteLink(tx, personId)
  const row = { person_id: personId, hash, created_at: now, expires_at: expiresAt }
  await tx.insertInto('person_links').values(withHash('person_links', row)).execute()
}

export async function deleteLink(tx: Tx, personId: PersonId): Promise<void> {
  await tx.deleteFrom('person_links').where('person_id', '=', personId).execute()
}

/** The person whom an open link is for. */
export async function findLink(
  db: Db,
  hash: string,
  now: Instant,
): Promise<{ readonly personId: PersonId; readonly name: string; readonly expiresAt: Instant } | undefined> {
  const row = await db
    .selectFrom('person_links')
    .innerJoin('people', 'people.id', 'person_links.person_id')
    .select(['people.id', 'people.name', 'person_links.expires_at'])
    .where('person_links.hash', '=', hash)
    .where('person_links.expires_at', '>', now)
    .executeTakeFirst()
  return row && { personId: row.id, name: row.name, expiresAt: row.expires_at }
}

/** Uses a link up. Of two who try at the same moment, one gets the person. */
export async function takeLink(tx: Tx, hash: string, now: Instant): Promise<PersonId | undefined> {
  const row = await tx
    .deleteFrom('person_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('person_id')
    .executeTakeFirst()
  return row?.person_id
}

/** Ends what the sessions of a person have bought for one project; the sessions go on. */
export async function deleteProjectTokens(tx: Tx, projectId: ProjectId, personId: PersonId): Promise<void> {
  await tx.deleteFrom('session_tokens').where('person_id', '=', personId).where('project_id', '=', projectId).execute()
}

/** Ends the sessions of a person, all but one, and the tokens that they have bought. */
export async function deleteSessions(tx: Tx, personId: PersonId, except?: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except as `sess_${string}`))
    .execute()
  await tx
    .deleteFrom('session_tokens')
    .where('person_id', '=', personId)
    .$if(except !== undefined, (query) => query.where('session_id', '!=', except as `sess_${string}`))
    .execute()
}
