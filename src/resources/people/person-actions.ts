import type { Action } from '../../actions/action.ts'
import { type Caller, requireScope } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { newId, type PersonId, type Random } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'
import { type Fault, notFound, Problem, refuseFaults } from '../../values/problems.ts'
import { newToken, tokenHash } from '../../values/token.ts'
import { linkHours, linkTo, type Person, type Role, roleScopes } from './person.ts'
import { type PersonInvite, PersonPatch } from './person-schema.ts'
import {
  deleteLink,
  deleteMembership,
  deleteProjectTokens,
  deleteSessions,
  findPerson,
  hasOtherOwner,
  holdByName,
  holdPerson,
  insertPerson,
  listMemberships,
  saveLink,
  saveMembership,
  savePersonName,
  saveRemoval,
} from './person-store.ts'

/** A person with a one-time link, which can be shown only once. */
type PersonWithLink = Person & { readonly link: string }

interface Invitation {
  readonly body: Validated<PersonInvite>
  /** Where the studio is, for the link. */
  readonly publicUrl: string
}

/** Adds a new person to the caller's project. If the installation knows the name already, only the operator gives the person a role in another project. */
export const invitePerson: Action<Invitation, PersonWithLink> = {
  name: 'people.invite',
  async run(tx, caller, { body, publicUrl }, random) {
    const { name, role } = accepted(body)
    requireRole(caller, role)
    const id = await insertNew(tx, caller, { name, role }, random)
    return withLink(tx, caller, { id, publicUrl }, random)
  },
}

interface Admission {
  readonly name: string
  /** Undefined to leave it as it is. */
  readonly role: Role | undefined
  readonly publicUrl: string
}

/**
 * What the operator does with `verso person invite`: a new person, a role in another project, or a new link for who is a member. Without a
 * link for a person who can sign in and gets a role in another project.
 */
export const admitPerson: Action<Admission, Person & { readonly link: string | null }> = {
  name: 'people.admit',
  async run(tx, caller, { name, role, publicUrl }, random) {
    const known = await holdByName(tx, name)
    if (!known) {
      accepted(validatorOf(PersonPatch)({ name }))
      const id = await insertNew(tx, caller, { name, role: role ?? refuse(unknownRole(name)) }, random)
      return withLink(tx, caller, { id, publicUrl }, random)
    }
    const { id, isReady } = known
    const before = await findPerson(tx, caller, id)
    const after = role ?? before?.role ?? refuse(unknownRole(name))
    if (after !== before?.role) await saveMembership(tx, { ...caller, personId: id, role: after })
    if (before === undefined && isReady) {
      // An owner elsewhere may have made it.
      await deleteLink(tx, id)
      return { ...(await requirePerson(tx, caller, id)), link: null }
    }
    return withLink(tx, caller, { id, publicUrl }, random)
  },
}

/** A new one-time link: for a lost password, or where the first was lost. It replaces the link before. */
export const renewLink: Action<{ readonly id: string; readonly publicUrl: string }, PersonWithLink> = {
  name: 'people.link',
  async run(tx, caller, { id, publicUrl }, random) {
    await holdPerson(tx, id)
    const person = await requirePerson(tx, caller, id)
    requireRole(caller, person.role)
    await requireOwnPerson(tx, caller, person, '')
    return withLink(tx, caller, { id: person.id, publicUrl }, random)
  },
}

/** Changes a name or a role. A new role counts from the next request on. */
export const editPerson: Action<{ readonly id: string; readonly body: Validated<PersonPatch> }, Person> = {
  name: 'people.edit',
  async run(tx, caller, { id, body }) {
    await holdPerson(tx, id)
    const person = await requirePerson(tx, caller, id)
    requireRole(caller, person.role)
    const { name = person.name, role = person.role } = accepted(body)
    if (role !== person.role) {
      requireRole(caller, role)
      await requireOwner(tx, caller, person, '/role')
      await saveMembership(tx, { ...caller, personId: person.id, role })
    }
    if (name.trim() !== person.name) {
      await requireOwnPerson(tx, caller, person, '/name')
      await claimNames(tx)
      if (!(await savePersonName(tx, person.id, name.trim()))) refuse(taken)
    }
    return requirePerson(tx, caller, person.id)
  },
}

/** Takes the role in the caller's project away. Whoever has none left is removed: they cannot sign in, and their name is free. */
export const removePerson: Action<{ readonly id: string }, void> = {
  name: 'people.remove',
  async run(tx, caller, { id }) {
    await holdPerson(tx, id)
    const person = await requirePerson(tx, caller, id)
    requireRole(caller, person.role)
    await requireOwner(tx, caller, person, '')
    await deleteMembership(tx, caller.projectId, person.id)
    if ((await listMemberships(tx, person.id)).length > 0) return
    await deleteSessions(tx, person.id)
    await saveRemoval(tx, person.id, caller.now)
  },
}

/** Signs a person out everywhere; who has a role elsewhere, too, only of the caller's project, unless the operator asks. */
export const endSessions: Action<{ readonly id: string }, void> = {
  name: 'people.end-sessions',
  async run(tx, caller, { id }) {
    await holdPerson(tx, id)
    const person = await requirePerson(tx, caller, id)
    requireRole(caller, person.role)
    if (caller.kind === 'operator' || (await listMemberships(tx, person.id)).length < 2) await deleteSessions(tx, person.id)
    else await deleteProjectTokens(tx, caller.projectId, person.id)
  },
}

async function insertNew(
  tx: Tx,
  caller: Caller,
  { name, role }: { readonly name: string; readonly role: Role },
  random: Random,
): Promise<PersonId> {
  const id = newId('pers', caller.now, random)
  await claimNames(tx)
  if (!(await insertPerson(tx, { id, name: name.trim(), now: caller.now }))) refuse(taken)
  await saveMembership(tx, { ...caller, personId: id, role })
  return id
}

async function withLink(
  tx: Tx,
  caller: Caller,
  { id, publicUrl }: { readonly id: PersonId; readonly publicUrl: string },
  random: Random,
): Promise<PersonWithLink> {
  const token = newToken('verso_link_', random)
  const expiresAt: Instant = later(caller.now, linkHours * 3_600_000)
  await saveLink(tx, { personId: id, hash: tokenHash(token), now: caller.now, expiresAt })
  return { ...(await requirePerson(tx, caller, id)), link: linkTo(publicUrl, token) }
}

async function requirePerson(tx: Tx, caller: Caller, id: string): Promise<Person> {
  const person = await findPerson(tx, caller, id)
  if (!person) throw notFound('person')
  return person
}

/** Nobody gives a role that may do more than they may themselves. With `admin` one could create such a key, too. */
function requireRole(caller: Caller, role: Role): void {
  if (!caller.scopes.includes('admin')) for (const scope of roleScopes[role]) requireScope(caller, scope)
}

/** A person of several projects belongs to none of them: a link made in one would open the others. */
async function requireOwnPerson(tx: Tx, caller: Caller, { id }: Person, pointer: string): Promise<void> {
  if (caller.kind === 'operator' || (await listMemberships(tx, id)).length < 2) return
  refuse({
    pointer,
    code: 'not_allowed',
    detail: 'This person has a role in another project, too; the operator of the installation can do this (verso person).',
  })
}

/** A project keeps an owner; only the operator can take the last one away. */
async function requireOwner(tx: Tx, caller: Caller, { id, role }: Person, pointer: string): Promise<void> {
  if (caller.kind === 'operator' || role !== 'owner' || (await hasOtherOwner(tx, caller.projectId, id))) return
  refuse({ pointer, code: 'not_allowed', detail: 'This is the last owner of the project; make another person owner first.' })
}

/** Two who take one name at the same moment come one after the other. */
async function claimNames(tx: Tx): Promise<void> {
  if (await tx.engine.awaitClaim(tx, 'names of people', 5_000)) return
  const detail = 'Another change of a name of a person takes too long; nothing was written.'
  throw new Problem('overloaded', detail, { headers: { 'retry-after': '5' } })
}

const taken: Fault = {
  pointer: '/name',
  code: 'taken',
  detail:
    'Somebody of this installation has this name. Add a letter or a surname; verso person invite gives a person a role in another project.',
}

function unknownRole(name: string): Fault {
  return { pointer: '/role', code: 'required', detail: `${name} has no role in this project yet; give one: writer, editor or owner.` }
}

function refuse(fault: Fault): never {
  refuseFaults([fault])
  throw new Error('a fault was not refused')
}
