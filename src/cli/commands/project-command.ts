import { Command, Option } from 'commander'
import { operator } from '../../actions/caller.ts'
import type { Project } from '../../resources/projects/project.ts'
import { createProject, editProject } from '../../resources/projects/project-actions.ts'
import { findProject, listProjects } from '../../resources/projects/project-store.ts'
import { type FeedContent, feedContents } from '../../resources/site/site.ts'
import { newId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'
import { type CommonOptions, changing, databaseCommand, examples, orNone, print, table } from '../terminal.ts'
import { noProject, withInstallation, withNewInstallation } from '../with-installation.ts'

interface SettingOptions extends Pick<CommonOptions, 'database' | 'json'> {
  readonly name?: string
  readonly siteUrl?: string
  readonly permalink?: string
  readonly feedContent?: FeedContent
  readonly feedUrl?: string
  readonly notes?: string
  readonly timezone?: string
}

/** `verso project create|list|edit`. */
export function projectCommand(): Command {
  return new Command('project')
    .description('Create, list and edit projects.')
    .addHelpText(
      'after',
      examples(
        'verso project create blog --name "The blog" --site-url https://example.com',
        'verso project list',
        'verso project edit blog --timezone Europe/Berlin',
      ),
    )
    .addCommand(create())
    .addCommand(list())
    .addCommand(edit())
}

function create(): Command {
  return settings(databaseCommand('create', 'Create a project.').argument('<slug>', 'lower-case letters, digits and dashes'))
    .addHelpText('after', examples('verso project create blog --name "The blog" --site-url https://example.com --permalink /blog/{slug}'))
    .action(async (slug: string, options: SettingOptions) => {
      const project = await withNewInstallation(options, async ({ perform, context, engine }) => {
        const now = await engine.now()
        const make = () =>
          perform(createProject, operator(newId('prj', now, context.random), 'cli', now), { slug, name: slug, ...settingsIn(options) })
        return engine.db.engine.isSharded ? whereOneLives(make) : make()
      })
      print(
        options,
        shown(project),
        `Project ${project.slug} created. Create a key for it: verso key create --project ${project.slug} --kind secret --name <name>`,
      )
    })
}

/** Servers that are away take nothing. With so many ids, one is most likely to belong to a server that is there. */
const maxTries = 32

/** The id of a project decides on which server it is. Where that one is away, another id is tried. */
async function whereOneLives<T>(make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await make()
    } catch (error) {
      const isAway = error instanceof Problem && error.code === 'database_unavailable'
      if (!isAway || tries === maxTries) throw error
    }
  }
}

function list(): Command {
  return databaseCommand('list', 'List all projects.').action(async (options: SettingOptions) => {
    const projects = await withInstallation(options, ({ db }) => listProjects(db))
    const rows = projects.map((each) => [each.slug, each.name, each.siteUrl ?? '-', each.permalink ?? '-', each.createdAt])
    const none = 'No projects yet. The first start of the service creates one: verso serve'
    print(options, projects.map(shown), table(['SLUG', 'NAME', 'SITE', 'PERMALINK', 'CREATED'], rows, none))
  })
}

function edit(): Command {
  return settings(changing(databaseCommand('edit', 'Change the settings of a project; "none" clears a URL or the permalink.')))
    .argument('<slug>', 'as verso project list shows it')
    .option('--notes <text>', "how people and agents write here, in Markdown; '' removes the notes")
    .addHelpText(
      'after',
      examples(
        'verso project edit default --site-url https://example.com --permalink /{year}/{slug}/',
        'verso project edit default --feed-content excerpt',
        'verso project edit default --site-url none',
        'verso project edit default --timezone Europe/Berlin',
        'verso project edit default --notes "Short sentences. British spelling."',
      ),
    )
    .action(async (slug: string, options: SettingOptions) => {
      const edits = settingsIn(options)
      const project = await withInstallation(options, async ({ db, perform, context, engine }) => {
        if (!(await findProject(db, slug))) throw noProject(slug)
        const now = await engine.now()
        return perform(editProject, operator(newId('prj', now, context.random), 'cli', now), { slug, edits })
      })
      print(options, shown(project), `Project ${project.slug} saved.`)
    })
}

function settingsIn({ name, siteUrl, permalink, feedContent, feedUrl, notes, timezone }: SettingOptions) {
  return {
    ...(name !== undefined && { name }),
    ...(siteUrl !== undefined && { siteUrl: orNone(siteUrl) }),
    ...(permalink !== undefined && { permalink: orNone(permalink) }),
    ...(feedContent !== undefined && { feedContent }),
    ...(feedUrl !== undefined && { feedUrl: orNone(feedUrl) }),
    ...(notes !== undefined && { notes: notes === '' ? null : notes }),
    ...(timezone !== undefined && { timeZone: timezone }),
  }
}

function settings(command: Command): Command {
  return command
    .option('--name <name>', 'the name that people see')
    .option('--site-url <url>', 'the URL of the website')
    .option(
      '--permalink <pattern>',
      'the path of a post on the website, such as /blog/{slug}; {id}, {year}, {month}, {day} and {category} are known, too',
    )
    .addOption(
      new Option('--feed-content <what>', 'what feeds have of each post: all of it, or its excerpt (default: html)').choices(feedContents),
    )
    .option('--feed-url <url>', 'where the website serves its feeds itself, such as https://example.com/feeds')
    .option('--timezone <zone>', 'the time zone of the website, such as Europe/Berlin (default: UTC)')
}

/** Without the id: nothing outside needs it, and commands name a project by its slug. */
function shown({ id: _, ...project }: Project) {
  return project
}
