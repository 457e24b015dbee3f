import type { Id, PersonId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** People are of the installation, so these are central tables: docs/decisions/0060-people-of-the-installation.md. */
export interface PeopleTables {
  people: PersonTable
  memberships: MembershipTable
  person_links: PersonLinkTable
  passkeys: PasskeyTable
  sessions: SessionTable
  session_tokens: SessionTokenTable
  passkey_challenges: PasskeyChallengeTable
  failed_sign_ins: FailedSignInTable
}

interface PersonTable {
  id: PersonId
  name: string
  /** The trimmed, folded name, by which a person signs in; null once they are removed. */
  folded: string | null
  /** A salted scrypt hash in the PHC string format. */
  password: string | null
  created_at: Instant
  last_used_at: Instant | null
  removed_at: Instant | null
  row_hash: string
}

interface MembershipTable {
  project_id: ProjectId
  person_id: PersonId
  role: 'writer' | 'editor' | 'owner'
  created_at: Instant
  row_hash: string
}

/** The one link of a person that sets a password or a passkey. */
interface PersonLinkTable {
  person_id: PersonId
  /** SHA-256 of the token, hex. */
  hash: string
  created_at: Instant
  expires_at: Instant
  row_hash: string
}

interface PasskeyTable {
  /** The id of the credential, base64url. */
  id: string
  person_id: PersonId
  name: string
  /** COSE, base64url. */
  public_key: string
  /** How often the authenticator says that it has signed; many say 0. */
  counter: number
  /** Space-separated. */
  transports: string
  created_at: Instant
  last_used_at: Instant | null
  row_hash: string
}

interface SessionTable {
  id: Id<'sess'>
  person_id: PersonId
  /** SHA-256 of the cookie's token, hex. */
  hash: string
  created_at: Instant
  expires_at: Instant
  last_used_at: Instant | null
  row_hash: string
}

/** A bearer token for one project that a session has bought. */
interface SessionTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string
  session_id: Id<'sess'>
  person_id: PersonId
  project_id: ProjectId
  expires_at: Instant
}

/** A challenge that a passkey is to sign, once. */
interface PasskeyChallengeTable {
  /** SHA-256 of the challenge, hex. */
  hash: string
  /** The person who adds a passkey; null to sign in. */
  person_id: PersonId | null
  expires_at: Instant
}

/** Failed sign-ins of an account, of an address, or of both together. */
interface FailedSignInTable {
  kind: 'account' | 'address' | 'both'
  /** A hash: what was tried may have been a password in the wrong field. */
  name: string
  failures: number
  last_at: Instant
}
