import type { Db, Tx } from '../../../database/engine.ts'
import { rowHash, withHash } from '../../../database/row-hash.ts'
import type { PersonId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'

/** A passkey as it is stored: the public half, which is no secret. */
export interface Passkey {
  /** The id of the credential, base64url. */
  readonly id: string
  readonly personId: PersonId
  readonly name: string
  /** COSE, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: Instant
}

export async function findPasskey(db: Db, id: string): Promise<Passkey | undefined> {
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      personId: row.person_id,
      name: row.name,
      publicKey: row.public_key,
      counter: Number(row.counter),
      transports: row.transports.split(' ').filter((each) => each !== ''),
      createdAt: row.created_at,
    }
  )
}

export async function listPasskeyIds(db: Db, personId: PersonId): Promise<readonly string[]> {
  const rows = await db.selectFrom('passkeys').select('id').where('person_id', '=', personId).execute()
  return rows.map(({ id }) => id)
}

/** False if there is such a credential already. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const { id, personId, name, publicKey, counter, transports, createdAt } = passkey
  const row = { id, person_id: personId, name, public_key: publicKey, counter, transports: transports.join(' ') }
  const inserted = await tx
    .insertInto('passkeys')
    .values(withHash('passkeys', { ...row, created_at: createdAt, last_used_at: null }))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False if it has been deleted. */
export async function savePasskeyUse(tx: Tx, id: string, counter: number, now: Instant): Promise<boolean> {
  await tx.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
  const row = await tx.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return false
  const row_hash = rowHash({ ...row, counter: Number(row.counter) })
  await tx.updateTable('passkeys').set({ row_hash }).where('id', '=', id).execute()
  return true
}

export async function deletePasskey(tx: Tx, personId: PersonId, id: string): Promise<boolean> {
  const deleted = await tx.deleteFrom('passkeys').where('person_id', '=', personId).where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

interface Challenge {
  /** SHA-256, hex. */
  readonly hash: string
  /** Who adds a passkey; null to sign in. */
  readonly personId: PersonId | null
  readonly expiresAt: Instant
}

/** Of those to sign in, and of those of one person, at most `most` stay open: the oldest go. */
export async function insertChallenge(tx: Tx, { hash, personId, expiresAt }: Challenge, now: Instant, most: number): Promise<void> {
  await tx.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
  await tx.insertInto('passkey_challenges').values({ hash, person_id: personId, expires_at: expiresAt }).execute()
  const { count } = await tx
    .selectFrom('passkey_challenges')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('person_id', personId === null ? 'is' : '=', personId)
    .executeTakeFirstOrThrow()
  if (Number(count) <= most) return
  const oldest = await tx
    .selectFrom('passkey_challenges')
    .select('hash')
    .where('person_id', personId === null ? 'is' : '=', personId)
    .where('hash', '!=', hash)
    .orderBy('expires_at')
    .orderBy('hash')
    .limit(Math.min(Number(count) - most, 100))
    .execute()
  await tx
    .deleteFrom('passkey_challenges')
    .where(
      'hash',
      'in',
      oldest.map((row) => row.hash),
    )
    .execute()
}

export async function hasChallenge(db: Db, hash: string, now: Instant): Promise<boolean> {
  const open = db.selectFrom('passkey_challenges').select('hash').where('hash', '=', hash).where('expires_at', '>', now)
  return (await open.executeTakeFirst()) !== undefined
}

/** Uses a challenge up. Of two who try, one gets it. */
export async function takeChallenge(tx: Tx, hash: string, now: Instant): Promise<{ readonly personId: PersonId | null } | undefined> {
  const row = await tx
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('person_id')
    .executeTakeFirst()
  return row && { personId: row.person_id }
}
