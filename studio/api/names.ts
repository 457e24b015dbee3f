import { changePosts } from './posts.ts'
import { type Author, type Category, everyItem, type ProjectApi, type Tag } from './verso.ts'

/** What is kept under a name of its own; a tag is there as long as a post names it. */
export type Kind = 'authors' | 'categories'
export type Named = Author | Category | Tag

export interface NameEdits {
  readonly name: string
  readonly slug?: string
  readonly description?: string | null
  readonly bio?: string | null
  readonly email?: string | null
  readonly avatarUrl?: string | null
}

/** Authors and categories by name, tags by how many posts have them. */
export function listNamed({ verso }: ProjectApi, kind: Kind | 'tags', signal: AbortSignal): Promise<readonly Named[]> {
  const all = { limit: 100, total: false } as const
  if (kind === 'tags') return everyItem(verso.pages('GET /v1/tags', { ...all, sort: '-post_count' }, { signal }))
  return everyItem<Named>(verso.pages(`GET /v1/${kind}`, all, { signal }))
}

/** An author with the e-mail address, or a category. */
export function readNamed({ verso }: ProjectApi, kind: Kind, id: string, signal: AbortSignal): Promise<Author | Category> {
  return verso.request(`GET /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id }, { signal })
}

export function createNamed({ verso }: ProjectApi, kind: Kind, body: NameEdits): Promise<Author | Category> {
  return verso.request(`POST /v1/admin/${kind}`, { body })
}

export function changeNamed({ verso }: ProjectApi, kind: Kind, { id, version }: Author | Category, body: Partial<NameEdits>) {
  return verso.request(`PATCH /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id, body }, { ifMatch: version })
}

/** Its posts get another in its place; `in_use` if they would get none. */
export async function deleteNamed({ verso }: ProjectApi, kind: Kind, id: string, reassignTo: string | undefined): Promise<void> {
  await verso.request(`DELETE /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id, ...(reassignTo && { reassign_to: reassignTo }) })
}

/** A post with its tags before and its version after. */
interface TaggedPost {
  readonly id: string
  readonly tags: readonly string[]
  readonly version: number
}

export interface Retagging {
  /** Another name, or none to take the tag off. */
  readonly to: string | undefined
  readonly signal: AbortSignal
  onProgress(done: number, total: number): void
}

export interface Retagged {
  readonly changed: readonly TaggedPost[]
  readonly failures: readonly string[]
}

/** Few enough that one sees it go on. */
const atOnce = 50

/** Changes a tag in every post that has it, for a tag is nothing but that. It can be stopped; what was changed then stays. */
export async function retag(api: ProjectApi, { slug }: Pick<Tag, 'slug'>, { to, signal, onProgress }: Retagging): Promise<Retagged> {
  const query = { tag: slug, fields: ['tags', 'tagSlugs', 'version'], sort: 'created_at', limit: 100, total: false } as const
  const posts = await everyItem(api.verso.posts.pages(query, { signal }))
  const changes = posts.map(({ tags, tagSlugs, ...post }) => {
    const named = tags.flatMap((tag, i) => (tagSlugs[i] !== slug ? [tag] : to === undefined ? [] : [to]))
    return { ...post, before: tags, tags: named }
  })
  const changed: TaggedPost[] = []
  const failures: string[] = []
  for (let at = 0; at < changes.length && !signal.aborted; at += atOnce) {
    onProgress(at, changes.length)
    const some = changes.slice(at, at + atOnce)
    const outcome = await setTags(api, some)
    failures.push(...outcome.failures)
    for (const { id, post } of outcome.done) {
      const before = some.find((each) => each.id === id)?.before
      if (post && before) changed.push({ id, tags: before, version: post.version })
    }
  }
  return { changed, failures }
}

/** Leaves a post as it is that somebody has changed meanwhile. */
export function setTags(api: ProjectApi, posts: readonly TaggedPost[]) {
  return changePosts(
    api,
    posts.map(({ id, version, tags }) => ({ op: 'update', id, ifMatch: version, body: { tags: [...tags] } })),
  )
}
