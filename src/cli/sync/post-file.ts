import { stringify } from 'yaml'
import type { Post } from '../../resources/posts/post-schema.ts'

/**
 * A post as a Markdown file: front matter, then the content byte for byte. The same post gives the same bytes. Empty fields are left out.
 * Text that YAML 1.1 would not read as text is quoted, because most site generators read YAML 1.1.
 */
export function toFileText({ content, author, category, seo, ...post }: Post): string {
  const front = present({
    id: post.id,
    slug: post.slug,
    title: post.title,
    status: post.status,
    excerpt: post.excerpt,
    // What site generators sort by.
    date: post.publishedAt,
    publishedAt: post.publishedAt,
    scheduledFor: post.scheduledFor,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    version: post.version,
    author: author?.name,
    authorId: author?.id,
    category: category?.name,
    categorySlug: category?.slug,
    tags: post.tags.length > 0 ? post.tags : null,
    seo: Object.values(seo).some((value) => value !== null) ? present(seo) : null,
  })
  return `---\n${stringify(front, { version: '1.1', lineWidth: 0 })}---\n${content}`
}

/** The name of the file of a post. Anything but a slug could lead out of the folder. */
export function fileNameOf(slug: string): string {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new Error(`the service named a post ${JSON.stringify(slug)}, which is no slug`)
  return `${slug}.md`
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}
