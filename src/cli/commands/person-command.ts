import { Command, Option } from 'commander'
import type { Caller } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { readConfig } from '../../app/config.ts'
import type { Installation } from '../../app/installation.ts'
import { foldedName, linkHours, type Person, type Role, roles } from '../../resources/people/person.ts'
import { admitPerson, editPerson, endSessions, removePerson } from '../../resources/people/person-actions.ts'
import { PersonPatch, personList } from '../../resources/people/person-schema.ts'
import { findPerson, listPeople } from '../../resources/people/person-store.ts'
import { isId } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, changing, examples, print, projectScoped, say, table } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

interface PersonOptions extends CommonOptions {
  readonly role?: Role
  readonly name?: string
  readonly signOut?: true
}

/** `verso person invite|list|edit|remove`. */
export function personCommand(): Command {
  const command = new Command('person')
    .description('Invite, list, edit and remove the people who sign in to the studio.')
    .addHelpText(
      'after',
      examples('verso person invite "Mira Holt" --role editor', 'verso person list', 'verso person edit "Mira Holt" --sign-out'),
    )
  return command.addCommand(invite()).addCommand(list()).addCommand(edit()).addCommand(remove())
}

const roleOption = () => new Option('--role <role>', 'what they may do in the project').choices([...roles])

function invite(): Command {
  return projectScoped('invite', `Print a one-time link, which works for ${linkHours} hours. By it a person sets a password or a passkey.`)
    .argument('<name>', 'what they sign in with')
    .addOption(roleOption())
    .addHelpText(
      'after',
      `${examples(
        'verso person invite "Mira Holt" --role editor',
        'verso person invite "Mira Holt"                        a lost password: a new link, the same role',
        'verso person invite "Mira Holt" --role writer --project blog',
      )}\n\nThe link leads to VERSO_PUBLIC_URL; without it, to localhost and PORT.`,
    )
    .action(async (name: string, options: PersonOptions) => {
      const { publicUrl: configured, host, port } = readConfig(options)
      const publicUrl = configured?.href ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
      const person = await withProject(options, ({ perform }, caller) =>
        perform(admitPerson, caller, { name, role: options.role, publicUrl }),
      )
      if (person.link === null) say(options, `${person.name} is ${person.role} here now, and signs in as before.`)
      else say(options, `Send ${person.name} this link. It works once, until ${person.linkExpiresAt}, and is shown only now.`)
      print(options, person, person.link ?? '')
    })
}

function list(): Command {
  return projectScoped('list', 'List the people of a project by name.').action(async (options: CommonOptions) => {
    const people = await withProject(options, ({ db }, caller) => everyPage(personList, caller, (plan) => listPeople(db, caller, plan)))
    const rows = people.map((person) => [person.id, person.name, person.role, signsInWith(person), person.lastSeenAt ?? 'never'])
    const none = 'Nobody yet: verso person invite --help'
    print(options, people, table(['ID', 'NAME', 'ROLE', 'SIGNS IN WITH', 'LAST SEEN'], rows, none))
  })
}

function edit(): Command {
  return changing(projectScoped('edit', 'Change the role or the name of a person, or sign them out. It takes effect at once.'))
    .argument('<name-or-id>', 'as verso person list shows it')
    .addOption(roleOption())
    .option('--name <name>', 'the new name')
    .option('--sign-out', 'end all their sessions')
    .addHelpText('after', examples('verso person edit "Mira Holt" --role owner', 'verso person edit "Mira Holt" --sign-out'))
    .action(async (nameOrId: string, { role, name, signOut, ...options }: PersonOptions) => {
      const body = validatorOf(PersonPatch)({ ...(role && { role }), ...(name !== undefined && { name }) })
      const person = await withProject(options, async (installation, caller) => {
        const id = await idOf(installation, caller, nameOrId)
        const edited = await installation.perform(editPerson, caller, { id, body })
        if (signOut) await installation.perform(endSessions, caller, { id })
        return edited
      })
      print(options, person, `${person.id}  ${person.name}  ${person.role}`)
    })
}

function remove(): Command {
  return projectScoped('remove', 'Take the role of a person in a project away. Whoever has no other role can no longer sign in.')
    .argument('<name-or-id>', 'as verso person list shows it')
    .addHelpText('after', examples('verso person remove "Mira Holt"'))
    .action(async (nameOrId: string, options: CommonOptions) => {
      const id = await withProject(options, async (installation, caller) => {
        const found = await idOf(installation, caller, nameOrId)
        await installation.perform(removePerson, caller, { id: found })
        return found
      })
      print(options, { id, removed: true }, `${nameOrId} has no role in the project any more.`)
    })
}

async function idOf({ db }: Installation, caller: Caller, nameOrId: string): Promise<string> {
  if (isId('pers', nameOrId)) return (await findPerson(db, caller, nameOrId))?.id ?? unknown()
  const people = await everyPage(personList, caller, (plan) => listPeople(db, caller, plan))
  return people.find(({ name }) => foldedName(name) === foldedName(nameOrId))?.id ?? unknown()
}

function unknown(): never {
  throw notFound('person')
}

function signsInWith({ hasPassword, passkeys, linkExpiresAt }: Person): string {
  const means = [...(hasPassword ? ['password'] : []), ...(passkeys > 0 ? [`${passkeys} passkey${passkeys > 1 ? 's' : ''}`] : [])]
  return means.join(', ') || (linkExpiresAt === null ? 'nothing (the link has expired)' : `the link, until ${linkExpiresAt}`)
}
