import { isWebUrl } from '../../actions/validation/schema-types.ts'
import { codePointLength } from '../../values/code-points.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { isSlug } from '../../values/slug.ts'
import { type FeedContent, feedContents, permalinkFault } from '../site/site.ts'

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

/** The faults of settings. One that `before` had already is none: it may be from a time when it was allowed. */
export function projectFaults(settings: ProjectSettings, before?: ProjectSettings): readonly Fault[] {
  const { slug, name, siteUrl, permalink, feedContent, feedUrl, notes, timeZone } = settings
  const details: { readonly [S in keyof ProjectSettings]: string | undefined } = {
    slug: unless(isSlug(slug), `${slug} is not a slug: use lower-case letters, digits and single dashes, 80 characters at most.`),
    name: unless(
      name.trim() !== '' && codePointLength(name) <= maxNameCodePoints,
      `The name is a line of at most ${maxNameCodePoints} characters.`,
    ),
    siteUrl: siteUrl === null ? undefined : siteFault('The site URL', siteUrl),
    permalink: permalink === null ? undefined : permalinkFault(permalink),
    feedContent: unless(feedContents.includes(feedContent), `The content of feeds is one of ${feedContents.join(', ')}.`),
    notes: unless(codePointLength(notes ?? '') <= maxNotesCodePoints, `The notes have at most ${maxNotesCodePoints} characters.`),
    timeZone: unless(isTimeZone(timeZone), 'The time zone must be a name of the IANA database, such as Europe/Berlin or UTC.'),
    feedUrl: feedUrl === null ? undefined : siteFault('The feed URL', feedUrl),
  }
  return Object.entries(details).flatMap(([name, detail]) => {
    const isNew = settings[name as keyof ProjectSettings] !== before?.[name as keyof ProjectSettings]
    return detail !== undefined && isNew ? [{ pointer: `/${name}`, code: 'invalid', detail }] : []
  })
}

function unless(isRight: boolean, detail: string): string | undefined {
  return isRight ? undefined : detail
}

function siteFault(what: string, text: string): string | undefined {
  if (/\s/.test(text)) return `${what} has white space in it. A space in a URL is %20.`
  if (!/^https?:\/\/[^?#]+$/.test(text) || !isWebUrl(text))
    return `${what} must be an absolute http or https URL without query and fragment.`
  const { username, password } = new URL(text)
  return username + password === '' ? undefined : `${what} is public, and must not contain a user or a password.`
}

/** Whether this is a name of the IANA database. An offset such as `+01:00`, which newer runtimes read, too, is none. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
