import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { mapPictures } from '../../import/markdown/post-fields/pictures.ts'
import { document, fieldsBelow, optionalText, text, texts } from '../../maintenance/export/yaml-text.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import { isSlug } from '../../values/slug.ts'

/** How the pictures of posts are treated whose address is relative and leads to no file. */
export type MissingPictures = 'detach' | 'leave'

/** The text of a file, and the pictures in it that are not there. */
export interface PostFile {
  readonly text: string
  readonly missing: readonly string[]
}

/**
 * A post as a Markdown file: front matter, then the content byte for byte, except for pictures that are not there. The same post gives the same
 * bytes. Empty fields are left out.
 */
export function toPostFile(folder: string, post: Post, pictures: MissingPictures): PostFile {
  const missing: string[] = []
  const content = mapPictures(post.content, (address) => {
    if (!isRelative(address) || existsSync(resolve(folder, pathIn(address)))) return address
    missing.push(address)
    return pictures === 'leave' ? address : detached(address)
  })
  return { text: `---\n${frontMatter(post)}---\n${content}`, missing }
}

function frontMatter({ author, category, seo, ...post }: Post): string {
  return document({
    id: post.id,
    slug: text(post.slug),
    title: text(post.title),
    status: post.status,
    // Site generators leave it out.
    draft: post.status === 'published' ? null : true,
    excerpt: optionalText(post.excerpt),
    // What site generators sort by.
    date: post.publishedAt,
    publishedAt: post.publishedAt,
    scheduledFor: post.scheduledFor,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    version: post.version,
    author: author && text(author.name),
    authorId: author?.id,
    category: category && text(category.name),
    categorySlug: category && text(category.slug),
    tags: texts(post.tags),
    aliases: texts(post.aliases),
    seo: fieldsBelow({
      title: optionalText(seo.title),
      description: optionalText(seo.description),
      canonicalUrl: optionalText(seo.canonicalUrl),
      ogImage: optionalText(seo.ogImage),
    }),
  })
}

/** Generators such as Astro look for a relative picture while they build, and fail. An empty fragment stops them; browsers ignore it. */
function detached(address: string): string {
  return address.includes('#') ? address : `${address}#`
}

function isRelative(address: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(address)
}

function pathIn(address: string): string {
  const path = address.replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The name of the file of a post. Anything but a slug could lead out of the folder. */
export function fileNameOf(slug: string): string {
  if (!isSlug(slug)) throw new Error(`the service named a post ${JSON.stringify(slug)}, which is no slug`)
  return `${slug}.md`
}
