import { isWebUrl } from '../../actions/validation/schema-types.ts'
import { codePointLength } from '../../values/code-points.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { isSlug } from '../../values/slug.ts'
import { type FeedContent, feedContents, isPermalink, placeholders } from '../site/site.ts'

export const maxNameCodePoints = 200
/** An agent reads them whole. */
export const maxNotesCodePoints = 20_000

export interface Project extends ProjectSettings {
  readonly id: ProjectId
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface ProjectSettings {
  readonly slug: string
  readonly name: string
  /** The public URL of the site, if it is set. */
  readonly siteUrl: string | null
  /** The path of a post on that site, such as `/blog/{slug}`. */
  readonly permalink: string | null
  /** What feeds have of each post. */
  readonly feedContent: FeedContent
  /** Where the site serves its feeds itself, if it does. */
  readonly feedUrl: string | null
  /** Markdown: how people and agents write here. */
  readonly notes: string | null
  /** A name of the IANA time zone database, in which the times of the site are shown. */
  readonly timeZone: string
}

export const defaultSettings = {
  siteUrl: null,
  permalink: null,
  feedContent: 'html',
  feedUrl: null,
  notes: null,
  timeZone: 'UTC',
} as const satisfies Partial<ProjectSettings>

export function projectFaults(settings: ProjectSettings): readonly Fault[] {
  const { slug, name, siteUrl, permalink, feedContent, feedUrl, notes, timeZone } = settings
  const rules: readonly (readonly [keyof ProjectSettings, isRight: boolean, detail: string])[] = [
    ['slug', isSlug(slug), `${slug} is not a slug: use lower-case letters, digits and single dashes, 80 characters at most.`],
    [
      'name',
      name.trim() !== '' && codePointLength(name) <= maxNameCodePoints,
      `The name is a line of at most ${maxNameCodePoints} characters.`,
    ],
    ['siteUrl', siteUrl === null || isSite(siteUrl), 'The site URL must be an absolute http or https URL without query and fragment.'],
    [
      'permalink',
      permalink === null || isPermalink(permalink),
      `The permalink must be a path that begins with / and contains {slug} or {id}, such as /blog/{slug}. It may contain ${placeholders.map((each) => `{${each}}`).join(', ')}.`,
    ],
    ['feedContent', feedContents.includes(feedContent), `The content of feeds is one of ${feedContents.join(', ')}.`],
    ['notes', codePointLength(notes ?? '') <= maxNotesCodePoints, `The notes have at most ${maxNotesCodePoints} characters.`],
    ['timeZone', isTimeZone(timeZone), 'The time zone must be a name of the IANA database, such as Europe/Berlin or UTC.'],
    ['feedUrl', feedUrl === null || isSite(feedUrl), 'The feed URL must be an absolute http or https URL without query and fragment.'],
  ]
  return rules.flatMap(([name, isRight, detail]) => (isRight ? [] : { pointer: `/${name}`, code: 'invalid', detail }))
}

function isSite(text: string): boolean {
  return /^https?:\/\/[^\s?#]+$/.test(text) && isWebUrl(text)
}

/** Whether this is a name of the IANA database. An offset such as `+01:00`, which newer runtimes read, too, is none. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
