import { Command } from 'commander'
import { sightOf } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { createAuthor, editAuthor, removeAuthor } from '../../resources/authors/author-actions.ts'
import { type Author, AuthorCreate, AuthorPatch, authorList } from '../../resources/authors/author-schema.ts'
import { listAuthors } from '../../resources/authors/author-store.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, changing, examples, orNone, print, projectScoped, table } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

interface AuthorOptions extends CommonOptions {
  readonly name?: string
  readonly slug?: string
  readonly email?: string
  readonly bio?: string
  readonly avatarUrl?: string
}

/** `verso author create|list|edit|remove`. */
export function authorCommand(): Command {
  const command = new Command('author')
    .description('Create, list, edit and remove authors.')
    .addHelpText('after', examples('verso author create "Ada Lovelace" --email ada@example.com', 'verso author list'))
  return command.addCommand(create()).addCommand(list()).addCommand(edit()).addCommand(remove())
}

function create(): Command {
  return details(projectScoped('create', 'Create an author. The slug is made from the name unless you give one.').argument('<name>'))
    .addHelpText('after', examples('verso author create "Ada Lovelace" --email ada@example.com --bio "Writes about engines."'))
    .action(async (name: string, options: AuthorOptions) => {
      const body = validatorOf(AuthorCreate)({ name, ...fields(options) })
      printOne(options, await withProject(options, ({ perform }, caller) => perform(createAuthor, caller, { body })))
    })
}

function list(): Command {
  return projectScoped('list', 'List the authors of a project by name.').action(async (options: CommonOptions) => {
    const authors = await withProject(options, ({ db }, caller) =>
      everyPage(authorList, caller, (plan) => listAuthors(db, sightOf(caller), plan)),
    )
    const rows = authors.map(({ id, slug, name, email }) => [id, slug, name, email ?? '-'])
    print(options, authors, table(['ID', 'SLUG', 'NAME', 'E-MAIL'], rows, 'No authors yet: verso author create --help'))
  })
}

function edit(): Command {
  return details(
    changing(projectScoped('edit', 'Change an author; "none" clears the e-mail address, the biography or the picture.')).argument(
      '<id-or-slug>',
      'as verso author list shows it',
    ),
  )
    .option('--name <name>', 'the new name')
    .addHelpText('after', examples('verso author edit auth_06dq8k2rxf7e9aw5n4j1t3ybvc --email none'))
    .action(async (id: string, options: AuthorOptions) => {
      const body = validatorOf(AuthorPatch)({ ...(options.name !== undefined && { name: options.name }), ...fields(options) })
      printOne(
        options,
        await withProject(options, ({ perform }, caller) => perform(editAuthor, caller, { idOrSlug: id, ifMatch: 'any', body })),
      )
    })
}

function remove(): Command {
  return projectScoped('remove', 'Remove an author. An author with posts needs --reassign-to.')
    .argument('<id-or-slug>', 'as verso author list shows it')
    .option('--reassign-to <id-or-slug>', 'the author who gets the posts')
    .addHelpText('after', examples('verso author remove auth_06dq8k2rxf7e9aw5n4j1t3ybvc --reassign-to auth_06dq8k2rxf7e9aw5n4j1t3ybvd'))
    .action(async (id: string, options: CommonOptions & { readonly reassignTo?: string }) => {
      const { reassignTo } = options
      await withProject(options, ({ perform }, caller) => perform(removeAuthor, caller, { idOrSlug: id, ifMatch: 'any', reassignTo }))
      print(options, { id, removed: true }, `Author ${id} is removed.`)
    })
}

function details(command: Command): Command {
  return command
    .option('--slug <slug>', 'the part of URLs that names them')
    .option('--email <address>', 'shown only to keys with the scope authors:read_email')
    .option('--bio <text>', 'a short biography')
    .option('--avatar-url <url>', 'an http or https URL')
}

function fields({ slug, email, bio, avatarUrl }: AuthorOptions) {
  return {
    ...(slug !== undefined && { slug }),
    ...(email !== undefined && { email: orNone(email) }),
    ...(bio !== undefined && { bio: orNone(bio) }),
    ...(avatarUrl !== undefined && { avatarUrl: orNone(avatarUrl) }),
  }
}

function printOne(options: CommonOptions, author: Author): void {
  print(options, author, `${author.id}  ${author.slug}  ${author.name}`)
}
