import type { Post } from '../../resources/posts/post-schema.ts'
import type { Redirect } from '../../resources/redirects/redirect-schema.ts'
import { pathOf as aliasPathOf, escapedPath } from '../../resources/site/alias.ts'
import { isSlug } from '../../values/slug.ts'
import type { Agent } from '../agent.ts'
import { ask, find, pathOf } from '../api.ts'
import { quoted } from '../data-text.ts'
import { linksIn } from './links.ts'

/** Links of one post that are looked up. */
const mostLinks = 20

interface Link {
  readonly link: string
  readonly slug: string
  /** From the root of the host, as redirects have it. */
  readonly place: string
}

/** Links to posts of the same site that lead nowhere, to what readers do not see, or by a redirect. */
export async function linkFaults(agent: Agent, content: string): Promise<readonly string[]> {
  const { api } = agent
  const { siteUrl } = await ask<{ readonly siteUrl: string | null }>(api, 'GET', '/v1/project')
  const links = linksIn(content).flatMap((link) => linkToPost(siteUrl, link) ?? [])
  const checked = [...new Map(links.map((each) => [each.slug, each])).values()]
  const faults: string[] = []
  const lost: Link[] = []
  for (const each of checked.slice(0, mostLinks)) {
    const { status, body } = await api.ask('GET', pathOf('posts', each.slug), { query: { fields: 'status' } })
    if (status === 301) faults.push(`The link ${quoted(each.link, 200)} leads to a post that has a new slug now.`)
    else if (status === 404) lost.push(each)
    else if (status === 200 && (body as Pick<Post, 'status'>).status !== 'published')
      faults.push(`The link ${quoted(each.link, 200)} leads to a post that is ${(body as Pick<Post, 'status'>).status}.`)
  }
  if (lost.length > 0) faults.push(...(await lostFaults(agent, lost)))
  return checked.length > mostLinks ? [...faults, `Only the first ${mostLinks} of ${checked.length} links were checked.`] : faults
}

/** A link that looks like one to a post: its last segment is a slug. */
function linkToPost(siteUrl: string | null, link: string): Link | undefined {
  const path = pathOnSite(siteUrl, link)
  const slug = /^[/.\w%-]*$/.test(path.split(/[?#]/)[0] ?? '') ? lastSegment(path) : ''
  return isSlug(slug) ? { link, slug, place: placeOf(link) } : undefined
}

/** The path of a link below the site, or as it is written; empty for a link to another host. */
function pathOnSite(siteUrl: string | null, link: string): string {
  const site = siteUrl?.replace(/\/$/, '')
  if (site !== undefined && link.startsWith(site) && /^(?:[/?#]|$)/.test(link.slice(site.length))) return link.slice(site.length)
  return /^(?:\w+:|\/\/)/.test(link) ? '' : link
}

function lastSegment(path: string): string {
  const segments = (path.split(/[?#]/)[0] ?? '').split('/').filter(Boolean)
  return (segments.at(-1) ?? '').replace(/\.(?:html?|md)$/, '')
}

/** Pages of redirects that are looked through, of a hundred each. */
const mostPages = 10

interface RedirectPage {
  readonly data: readonly Redirect[]
  readonly pagination: { readonly nextCursor: string | null }
}

/** What is said of links whose last segment is the slug of no post: an alias may lead on. */
async function lostFaults({ api }: Agent, lost: readonly Link[]): Promise<readonly string[]> {
  const targets = new Map<string, string>()
  let cursor: string | undefined
  for (let pages = 0; pages === 0 || (cursor !== undefined && pages < mostPages); pages++) {
    // Without a permalink there are none.
    const page = await find<RedirectPage>(api, 'GET', '/v1/redirects', { query: { limit: 100, total: 'false', cursor } })
    for (const { from, to } of page?.data ?? []) targets.set(placeOf(from), to)
    cursor = page?.pagination.nextCursor ?? undefined
  }
  const faults = lost.map(({ link, place }) => {
    const to = targets.get(place)
    return to === undefined
      ? `The link ${quoted(link, 200)} leads to no post that you can see.`
      : `The link ${quoted(link, 200)} is an old path of a post, which is redirected to ${quoted(to, 200)}.`
  })
  return cursor === undefined ? faults : [...faults, `Only the first ${mostPages * 100} redirects were looked through.`]
}

/** A path from the root of a host in the form in which two are compared, without a slash at its end, since most hosts take both for one. */
function placeOf(link: string): string {
  const [path = ''] = link.replace(/^https?:\/\/[^/?#]*/, '').split('#')
  return escapedPath(aliasPathOf(path)).replace(/\/$/, '')
}
