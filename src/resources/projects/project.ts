import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { isSlug } from '../../values/slug.ts'

export interface Project {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
  /** The public URL of the site, if it is set. */
  readonly siteUrl: string | null
  /** The path of a post on that site, such as `/blog/{slug}`. */
  readonly permalink: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export function projectFaults(project: Pick<Project, 'slug' | 'name' | 'siteUrl' | 'permalink'>): readonly Fault[] {
  return [
    ...(isSlug(project.slug)
      ? []
      : [fault('slug', `${project.slug} is not a slug: use lower-case letters, digits and single dashes, 80 characters at most.`)]),
    ...(project.name.trim() === '' ? [fault('name', 'The name is empty.')] : []),
    ...(project.siteUrl === null || /^https?:\/\/\S+$/.test(project.siteUrl)
      ? []
      : [fault('siteUrl', 'The site URL must be an absolute http or https URL.')]),
    ...(project.permalink === null || /^\/[^\s]*\{(slug|id)\}/.test(project.permalink)
      ? []
      : [fault('permalink', 'The permalink must be a path that begins with / and contains {slug} or {id}, such as /blog/{slug}.')]),
  ]
}

function fault(name: string, detail: string): Fault {
  return { pointer: `/${name}`, code: 'invalid', detail }
}
