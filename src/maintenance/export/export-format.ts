import type { Author } from '../../resources/authors/author.ts'
import type { Category } from '../../resources/categories/category.ts'
import type { Media } from '../../resources/media/media.ts'
import type { Post } from '../../resources/posts/post.ts'
import { document, fieldsBelow, listDocument, optionalText, text, texts } from './yaml-text.ts'

/** The files of an export besides posts. An import recognises the folder by the first. */
export const exportFiles = {
  state: 'verso-export.json',
  authors: 'authors.yml',
  categories: 'categories.yml',
  tags: 'tags.yml',
  media: 'media.yml',
} as const
export const postsFolder = 'posts'
/** Raised when an older version could not read the files. */
export const exportFormat = 1

/** The slug of a tag, by its folded name. */
export interface ExportedTag {
  readonly name: string
  readonly slug: string
}

/** What stands beside a post in the database. */
interface PostSurroundings {
  readonly author: string | null
  readonly category: string | null
  /** Former slugs that redirect to it. */
  readonly oldSlugs: readonly string[]
}

export function postPath(slug: string): string {
  return `${postsFolder}/${slug}.md`
}

/** Whether an export can have a file with this path. */
export function isExportPath(path: string): boolean {
  const { state: _, ...lists } = exportFiles
  return /^posts\/[^/\\]+\.md$/.test(path) || Object.values<string>(lists).includes(path)
}

/** The front matter of a post, in this order. */
const postFields = [
  ...(['id', 'date', 'firstPublishedAt', 'createdAt', 'updatedAt', 'status', 'draft', 'author', 'authorId', 'category'] as const),
  ...(['categoryId', 'tags', 'aliases', 'oldSlugs', 'seo', 'slug', 'title', 'excerpt'] as const),
] as const
const seoFields = ['title', 'description', 'canonicalUrl', 'ogImage'] as const

/** Whether every one of these names, and those below `seo`, is a field that an export writes. */
export function areExported(names: Iterable<string>, seoNames: Iterable<string>): boolean {
  return (
    [...names].every((name) => postFields.some((each) => each === name)) &&
    [...seoNames].every((name) => seoFields.some((each) => each === name))
  )
}

/**
 * A post as a Markdown file: front matter in a fixed order, then the content byte for byte. `date` is what site generators sort by. Every post
 * that is not published is a `draft` for them.
 */
export function postFile(post: Post, { author, category, oldSlugs }: PostSurroundings): string {
  const { publishedAt, scheduledFor, firstPublishedAt, status, seo } = post
  const fields: Readonly<Record<(typeof postFields)[number], string | boolean | null>> = {
    id: post.id,
    date: publishedAt ?? scheduledFor,
    firstPublishedAt: firstPublishedAt === publishedAt ? null : firstPublishedAt,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    status,
    draft: status === 'published' ? null : true,
    author: optionalText(author),
    authorId: post.authorId,
    category: optionalText(category),
    categoryId: post.categoryId,
    tags: texts(post.tags),
    aliases: texts(post.aliases),
    oldSlugs: texts(oldSlugs),
    seo: fieldsBelow(Object.fromEntries(seoFields.map((name) => [name, optionalText(seo[name])]))),
    slug: text(post.slug),
    title: text(post.title),
    excerpt: optionalText(post.excerpt),
  }
  return `---\n${document(Object.fromEntries(postFields.map((name) => [name, fields[name]])))}---\n${post.content}`
}

/** Authors and categories have nothing but texts: a field that they get one day is exported with the others. */
export function recordsFile(records: readonly (Author | Category)[]): string {
  return listDocument(
    records.map(({ version, id, createdAt, updatedAt, ...fields }) => ({
      id,
      ...Object.fromEntries(Object.entries<string | null>(fields).map(([name, value]) => [name, optionalText(value)])),
      createdAt,
      updatedAt,
    })),
  )
}

export function mediaFile(records: readonly Media[]): string {
  return listDocument(
    records.map(({ id, url, filename, mimeType, size, width, height, alt, createdAt, updatedAt }) => ({
      id,
      url: text(url),
      filename: text(filename),
      mimeType: text(mimeType),
      size,
      width,
      height,
      alt: text(alt),
      createdAt,
      updatedAt,
    })),
  )
}

export function tagsFile(tags: readonly ExportedTag[]): string {
  return listDocument(tags.map(({ name, slug }) => ({ name: text(name), slug: text(slug) })))
}
