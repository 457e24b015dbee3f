import { FileFault } from '../exports/read-text.ts'
import { siteUrlMark } from './missing-site-url.ts'
import { flagField, type GhostFields, readRows, textField } from './read-ghost.ts'

/** What posts of an export refer to, wherever it stands in the file. */
export interface SiteTables {
  readonly title: string
  /** The pattern of addresses, such as `/:slug/`. */
  readonly permalinks: string
  readonly timezone: string
  readonly posts: number
  /** Visitors need a password for the whole site. */
  readonly isPrivate: boolean
  /** Whether a text leaves open where the site is. */
  readonly needsSiteUrl: boolean
  tagsOf(postId: string): readonly GhostFields[]
  /** Links to tags that the export does not have. */
  missingTagsOf(postId: string): number
  authorsOf(post: GhostFields): readonly GhostFields[]
  metaOf(postId: string): GhostFields | undefined
}

interface Link {
  readonly id: string
  readonly order: number
}

class Tables {
  readonly tags = new Map<string, GhostFields>()
  readonly users = new Map<string, GhostFields>()
  readonly meta = new Map<string, GhostFields>()
  readonly settings = new Map<string, string>()
  readonly postTags = new Map<string, Link[]>()
  readonly postAuthors = new Map<string, Link[]>()
  posts = 0
  members = 0
  needsSiteUrl = false
  hasMeta = false
  isPrivate = false

  add(table: string, row: GhostFields): void {
    if (table === 'meta') this.hasMeta = true
    if (table === 'tags') this.tags.set(textField(row, 'id'), row)
    if (table === 'users') this.users.set(textField(row, 'id'), row)
    if (table === 'posts_meta') this.meta.set(textField(row, 'post_id'), row)
    if (table === 'settings' && textField(row, 'key') === 'is_private') this.isPrivate = flagField(row, 'value')
    if (table === 'settings') this.settings.set(textField(row, 'key'), textField(row, 'value'))
    if (table === 'posts_tags') this.#link(this.postTags, row, 'tag_id')
    if (table === 'posts_authors') this.#link(this.postAuthors, row, 'author_id')
    if (table === 'members') this.members += 1
    if (table === 'posts') this.posts += 1
    if (['posts', 'posts_meta', 'users'].includes(table)) this.needsSiteUrl ||= JSON.stringify(row).includes(siteUrlMark)
  }

  #link(links: Map<string, Link[]>, row: GhostFields, name: string): void {
    const postId = textField(row, 'post_id')
    const link = { id: textField(row, name), order: Number(textField(row, 'sort_order') || 0) }
    const others = links.get(postId)
    if (others) others.push(link)
    else links.set(postId, [link])
  }
}

/** Reads a whole export once, so that nothing is imported from a file that is broken further on. */
export async function readTables(path: string, onProgress: (posts: number) => void): Promise<SiteTables> {
  const tables = new Tables()
  for await (const { table, fields } of readRows(path)) {
    tables.add(table, fields)
    if (table === 'posts' && tables.posts % 1_000 === 0) onProgress(tables.posts)
  }
  if (tables.posts === 0) throw new FileFault(whyNoPosts(tables))
  return {
    title: tables.settings.get('title') ?? '',
    permalinks: tables.settings.get('permalinks') ?? '/:slug/',
    timezone: tables.settings.get('timezone') ?? tables.settings.get('active_timezone') ?? tables.settings.get('activeTimezone') ?? 'UTC',
    posts: tables.posts,
    isPrivate: tables.isPrivate,
    needsSiteUrl: tables.needsSiteUrl,
    tagsOf: (postId) => linked(tables.postTags.get(postId), tables.tags),
    missingTagsOf: (postId) => (tables.postTags.get(postId) ?? []).filter(({ id }) => !tables.tags.has(id)).length,
    authorsOf(post) {
      const authors = linked(tables.postAuthors.get(textField(post, 'id')), tables.users)
      const author = tables.users.get(textField(post, 'author_id') || textField(post, 'author'))
      return authors.length > 0 || !author ? authors : [author]
    },
    metaOf: (postId) => tables.meta.get(postId),
  }
}

function whyNoPosts({ members, hasMeta }: Tables): string {
  if (members > 0)
    return `the export has ${members} ${members === 1 ? 'member' : 'members'} and no posts; export the content of the site (Settings, Labs, Export)`
  return hasMeta ? 'the export has no posts' : 'this is no export of Ghost: it has neither posts nor meta'
}

function linked(links: readonly Link[] = [], rows: ReadonlyMap<string, GhostFields>): readonly GhostFields[] {
  return [...links]
    .sort((a, b) => a.order - b.order)
    .flatMap(({ id }): readonly GhostFields[] => {
      const row = rows.get(id)
      return row ? [row] : []
    })
}
