import type { Author, Post, ToldCategory } from '@verso/client'

type Dates = 'publishedAt' | 'scheduledFor' | 'createdAt' | 'updatedAt'

/** A post without its content, which is the body of the entry. Its entry has the slug as id. */
export interface PostData extends Omit<Post, 'content' | Dates>, Record<string, unknown> {
  /** When it was published, will be, or was changed. */
  readonly date: Date
  readonly publishedAt: Date | null
  readonly scheduledFor: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface AuthorData extends Omit<Author, 'createdAt' | 'updatedAt'>, Record<string, unknown> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface CategoryData extends Omit<ToldCategory, 'createdAt' | 'updatedAt'>, Record<string, unknown> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function toPostData({ content: _, ...post }: Post): PostData {
  const { publishedAt, scheduledFor, createdAt, updatedAt } = post
  return {
    ...post,
    date: new Date(publishedAt ?? scheduledFor ?? updatedAt),
    publishedAt: publishedAt === null ? null : new Date(publishedAt),
    scheduledFor: scheduledFor === null ? null : new Date(scheduledFor),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

export function withDates<Resource extends { readonly createdAt: string; readonly updatedAt: string }>(resource: Resource) {
  return { ...resource, createdAt: new Date(resource.createdAt), updatedAt: new Date(resource.updatedAt) }
}

/** Posts with one tag. */
export interface TaggedPosts<Entry> {
  readonly slug: string
  readonly name: string
  readonly posts: readonly Entry[]
}

/** The tags of posts with their posts, by name. */
export function byTag<Entry extends { readonly data: Pick<Post, 'tags' | 'tagSlugs'> }>(entries: readonly Entry[]): TaggedPosts<Entry>[] {
  const tags = new Map<string, { slug: string; name: string; posts: Entry[] }>()
  for (const entry of entries)
    for (const [i, slug] of entry.data.tagSlugs.entries()) {
      const tag = tags.get(slug) ?? { slug, name: entry.data.tags[i] ?? slug, posts: [] }
      tag.posts.push(entry)
      tags.set(slug, tag)
    }
  return [...tags.values()].sort((one, other) => one.name.localeCompare(other.name))
}
