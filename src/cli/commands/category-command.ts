import { Command } from 'commander'
import { sightOf } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { createCategory, editCategory, removeCategory } from '../../resources/categories/category-actions.ts'
import { type Category, CategoryCreate, CategoryPatch, categoryList } from '../../resources/categories/category-schema.ts'
import { listCategories } from '../../resources/categories/category-store.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, changing, examples, orNone, print, projectScoped, table } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

interface CategoryOptions extends CommonOptions {
  readonly name?: string
  readonly slug?: string
  readonly description?: string
}

/** `verso category create|list|edit|remove`. */
export function categoryCommand(): Command {
  const command = new Command('category')
    .description('Create, list, edit and remove categories.')
    .addHelpText('after', examples('verso category create "Releases" --description "What is new."', 'verso category list'))
  return command.addCommand(create()).addCommand(list()).addCommand(edit()).addCommand(remove())
}

function create(): Command {
  return details(projectScoped('create', 'Create a category. Its slug is made from its name unless you give one.').argument('<name>'))
    .addHelpText('after', examples('verso category create "Releases" --description "What is new."'))
    .action(async (name: string, options: CategoryOptions) => {
      const body = validatorOf(CategoryCreate)({ name, ...fields(options) })
      printOne(options, await withProject(options, ({ perform }, caller) => perform(createCategory, caller, { body })))
    })
}

function list(): Command {
  return projectScoped('list', 'List the categories of a project by name.').action(async (options: CommonOptions) => {
    const categories = await withProject(options, ({ db }, caller) =>
      everyPage(categoryList, caller, (plan) => listCategories(db, sightOf(caller), plan)),
    )
    const rows = categories.map(({ id, slug, name, postCount }) => [id, slug, name, String(postCount)])
    print(options, categories, table(['ID', 'SLUG', 'NAME', 'POSTS'], rows, 'No categories yet: verso category create --help'))
  })
}

function edit(): Command {
  return details(
    changing(projectScoped('edit', 'Change a category; "none" clears the description.')).argument(
      '<id-or-slug>',
      'as verso category list shows it',
    ),
  )
    .option('--name <name>', 'the new name')
    .addHelpText('after', examples('verso category edit releases --name "Release notes"'))
    .action(async (idOrSlug: string, options: CategoryOptions) => {
      const body = validatorOf(CategoryPatch)({ ...(options.name !== undefined && { name: options.name }), ...fields(options) })
      printOne(
        options,
        await withProject(options, ({ perform }, caller) => perform(editCategory, caller, { idOrSlug, ifMatch: 'any', body })),
      )
    })
}

function remove(): Command {
  return projectScoped('remove', 'Remove a category. A category with posts needs --reassign-to.')
    .argument('<id-or-slug>', 'as verso category list shows it')
    .option('--reassign-to <id-or-slug>', 'the category that gets the posts')
    .addHelpText('after', examples('verso category remove releases --reassign-to news'))
    .action(async (idOrSlug: string, options: CommonOptions & { readonly reassignTo?: string }) => {
      const { reassignTo } = options
      await withProject(options, ({ perform }, caller) => perform(removeCategory, caller, { idOrSlug, ifMatch: 'any', reassignTo }))
      print(options, { category: idOrSlug, removed: true }, `Category ${idOrSlug} is removed.`)
    })
}

function details(command: Command): Command {
  return command.option('--slug <slug>', 'the part of URLs that names it').option('--description <text>', 'what it is about')
}

function fields({ slug, description }: CategoryOptions) {
  return { ...(slug !== undefined && { slug }), ...(description !== undefined && { description: orNone(description) }) }
}

function printOne(options: CommonOptions, category: Category): void {
  print(options, category, `${category.id}  ${category.slug}  ${category.name}`)
}
