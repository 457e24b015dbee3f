import type { Db } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import { parseUrl } from '../../values/parse-url.ts'
import { findSite } from '../site/site-store.ts'
import type { Media } from './media.ts'
import { findMediaByUrl } from './media-store.ts'

/** In one statement. */
const urlsAtOnce = 100

/** The records of the media at these URLs, which may be relative to the site of the project: by URL, each list by id. */
export async function findShownMedia(
  db: Db,
  projectId: ProjectId,
  urls: readonly string[],
): Promise<ReadonlyMap<string, readonly Media[]>> {
  if (urls.length === 0) return new Map()
  const { siteUrl } = await findSite(db, projectId)
  const spellings = new Map(urls.map((url) => [url, spellingsOf(url, siteUrl ?? undefined)]))
  const wanted = [...new Set([...spellings.values()].flat())]
  const byUrl = new Map<string, Media[]>()
  for (let at = 0; at < wanted.length; at += urlsAtOnce) {
    const records = await findMediaByUrl(db, projectId, wanted.slice(at, at + urlsAtOnce))
    for (const record of records) byUrl.set(record.url, [...(byUrl.get(record.url) ?? []), record])
  }
  return new Map(urls.map((url) => [url, (spellings.get(url) ?? []).flatMap((spelling) => byUrl.get(spelling) ?? [])]))
}

/** A URL is kept as it was registered, and Markdown encodes some characters. */
function spellingsOf(url: string, base: string | undefined): readonly string[] {
  const href = parseUrl(url, base)?.href
  return href === undefined ? [] : [...new Set([url, href, decoded(href)])]
}

function decoded(href: string): string {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}
