import Type, { type Static } from 'typebox'
import { scopes } from '../../actions/caller.ts'
import { InstantOut, idSchema, line, nullable, oneOf, Slug, text, WebUrl } from '../../actions/validation/schema-types.ts'
import { feedContents } from '../site/site.ts'
import { maxNameCodePoints, maxNotesCodePoints } from './project.ts'

const SiteUrl = nullable(WebUrl, { description: 'The public URL of the site.', examples: ['https://example.com'] })
const Permalink = nullable(text(2_048), {
  description: 'The path of a post on the site, with `{slug}` or `{id}`, and perhaps `{year}`, `{month}`, `{day}` and `{category}`.',
  examples: ['/blog/{slug}'],
})
/** The longest name of the IANA database has 32 characters. */
const TimeZone = text(64, {
  description: 'The time zone of the site: a name of the IANA database. Dates in answers and permalinks are in UTC all the same.',
  examples: ['Europe/Berlin'],
})
const notesAre = 'How people and agents write here, in Markdown.'
const Notes = nullable(text(maxNotesCodePoints), { description: notesAre })
const projectName = { description: 'The name that people see.', examples: ['The blog'] }

/** The project of a key, as every key may know it. */
export const ProjectBody = Type.Object(
  {
    slug: Slug,
    name: Type.String(projectName),
    siteUrl: SiteUrl,
    permalink: Permalink,
    timeZone: TimeZone,
  },
  { title: 'Project' },
)
export type ProjectBody = Static<typeof ProjectBody>

/** Who sends a request, and what the request may do. */
export const Asker = Type.Object(
  {
    actor: Type.String({ maxLength: 40, description: 'As in the log: the id of the API key or of the person.' }),
    actorName: nullable(Type.String({ maxLength: 400 }), { description: 'The name of the key or of the person.' }),
    kind: oneOf(['secret', 'public', 'person'], { description: 'The kind of the API key, or `person` for the token of a session.' }),
    scopes: Type.Array(oneOf(scopes), { maxItems: scopes.length, description: 'With those that they include.' }),
    notes: { ...Notes, description: `${notesAre} \`null\` without \`posts:read_drafts\`.` },
  },
  { title: 'Asker' },
)
export type Asker = Static<typeof Asker>

const settings = {
  name: line(maxNameCodePoints, projectName),
  siteUrl: SiteUrl,
  permalink: Permalink,
  feedContent: oneOf(feedContents, { description: 'What feeds have of each post: all of it, or its excerpt.' }),
  feedUrl: nullable(WebUrl, { description: 'Where the site serves its feeds itself.', examples: ['https://example.com/feeds'] }),
  notes: Notes,
  timeZone: TimeZone,
}

export const ProjectSettings = Type.Object(
  { id: idSchema('prj'), slug: Slug, ...settings, createdAt: InstantOut, updatedAt: InstantOut },
  { title: 'ProjectSettings' },
)

export const ProjectPatch = Type.Partial(Type.Object(settings), {
  title: 'ProjectPatch',
  description: 'The settings to change. What is left out stays as it is; `null` empties a setting.',
  additionalProperties: false,
})
export type ProjectPatch = Static<typeof ProjectPatch>
