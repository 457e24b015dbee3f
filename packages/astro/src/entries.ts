import type { Post, ToldAuthor, ToldCategory } from '@verso/client'

type Dates = 'publishedAt' | 'scheduledFor' | 'createdAt' | 'updatedAt'

/** A post without its content, which is the body of the entry. Its entry has the slug as id. */
export interface PostData extends Omit<Post, 'content' | 'contentHtml' | Dates>, Record<string, unknown> {
  /** When it was published, will be, or was changed. */
  readonly date: Date
  readonly publishedAt: Date | null
  readonly scheduledFor: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface AuthorData extends Omit<ToldAuthor, 'createdAt' | 'updatedAt'>, Record<string, unknown> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface CategoryData extends Omit<ToldCategory, 'createdAt' | 'updatedAt'>, Record<string, unknown> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function toPostData({ content: _, contentHtml: _html, ...post }: Post): PostData {
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

/** What pages are made of here: entries of a collection of posts. */
export interface PostEntry {
  readonly id: string
  readonly data: PostData
  readonly rendered?: { readonly html: string } | undefined
}

/** For the `getStaticPaths` of `[tag].astro`: a page for each tag, with its name and its posts, the newest first. */
export function tagPaths<Entry extends Pick<PostEntry, 'data'>>(entries: readonly Entry[]) {
  const tags = new Map<string, { readonly name: string; readonly posts: Entry[] }>()
  for (const entry of newestFirst(entries))
    for (const [i, slug] of entry.data.tagSlugs.entries()) {
      const tag = tags.get(slug) ?? { name: entry.data.tags[i] ?? slug, posts: [] }
      tag.posts.push(entry)
      tags.set(slug, tag)
    }
  return [...tags].map(([tag, props]) => ({ params: { tag }, props }))
}

/** For the `getStaticPaths` of `[author].astro`: a page for each author who has posts, with these, the newest first. */
export function authorPaths<AuthorEntry extends { readonly id: string; readonly data: AuthorData }, Entry extends Pick<PostEntry, 'data'>>(
  authors: readonly AuthorEntry[],
  entries: readonly Entry[],
) {
  const sorted = newestFirst(entries)
  return authors
    .map((author) => ({ author, posts: sorted.filter(({ data }) => data.author?.id === author.data.id) }))
    .filter(({ posts }) => posts.length > 0)
    .map((props) => ({ params: { author: props.author.id }, props }))
}

/** The posts, the newest first. */
export function newestFirst<Entry extends { readonly data: { readonly date: Date } }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((one, other) => other.data.date.getTime() - one.data.date.getTime())
}

/** The 20 newest posts as `@astrojs/rss` takes them. `permalink` is that of the project, with any of its placeholders. */
export function feedItems(entries: readonly PostEntry[], permalink: string) {
  return newestFirst(entries)
    .slice(0, 20)
    .map(({ id, data, rendered }) => ({
      title: data.title,
      link: pathOf(permalink, id, data),
      pubDate: data.date,
      description: data.excerpt ?? '',
      categories: [...data.tags],
      ...(rendered && { content: rendered.html }),
    }))
}

/** The path of a post, as Verso makes it: the day is that of UTC, and without a category its segment is left out. */
function pathOf(permalink: string, slug: string, { id, category, publishedAt, scheduledFor, createdAt }: PostData): string {
  const [year, month, day] = (publishedAt ?? scheduledFor ?? createdAt).toISOString().slice(0, 10).split('-')
  const values: Readonly<Record<string, string | undefined>> = { slug, id, year, month, day, category: category?.slug ?? '' }
  const path = permalink.replace(/\{(\w+)\}/g, (each, name: string) => values[name] ?? each)
  return category ? path : path.replace(/(?<!:)\/{2,}/g, '/')
}

/** Verso has checked its resources. A schema of the site itself, if there is one, takes the place of this one. */
export async function anySchema(): Promise<unknown> {
  const zod = 'astro/zod'
  const { z } = (await import(/* @vite-ignore */ zod)) as { readonly z: { looseObject(shape: object): unknown } }
  return z.looseObject({})
}
