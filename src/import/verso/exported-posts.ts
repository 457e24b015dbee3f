import { validatorOf } from '../../actions/validation/validate.ts'
import { areExported } from '../../maintenance/export/export-format.ts'
import { type Post, statuses } from '../../resources/posts/post.ts'
import { PostCreate } from '../../resources/posts/post-schema.ts'
import { isId } from '../../values/ids.ts'
import { type Instant, parseInstant } from '../../values/instant.ts'
import { type FieldMap, isFieldMap, noFields } from '../front-matter/field-value.ts'
import { booleanOf } from '../front-matter/find-field.ts'
import { isTextFault, type SourceFault } from '../source-post.ts'
import { type ExportText, readPostFile, textIn, textsIn, toFault } from './read-export.ts'

/** A post of an export; serialisable. */
export interface ExportedPost {
  readonly kind: 'post'
  readonly path: string
  readonly post: Omit<Post, 'tagSlugs' | 'version' | 'deletedAt' | 'hasPendingEdit'>
  readonly oldSlugs: readonly string[]
  /** What its file seems to ask for and does not get, in one sentence. */
  readonly note: string | null
  /** The SHA-256 of its file, in hexadecimal; null if that has a field that no export writes. */
  readonly hash: string | null
}

/** Makes the reader of the posts of a folder. What the API would refuse is at fault. */
export function exportedPostReader(folder: string): (path: string) => ExportedPost | SourceFault {
  const check = validatorOf(PostCreate)
  return (path) => {
    const file = readPostFile(folder, path)
    if ('kind' in file) return file
    const read = toExportedPost(file)
    if (isTextFault(read)) return toFault(path, read.fault, read.line)
    const { title, slug, content, excerpt, tags, aliases, seo } = read.post
    const result = check({ title, slug, content, excerpt, tags, aliases, seo })
    return result.ok ? read : toFault(path, result.faults.map(({ detail }) => detail).join(' '))
  }
}

function toExportedPost({ path, hash, fields, body }: ExportText): ExportedPost | { readonly fault: string; readonly line: null } {
  const id = textIn(fields, 'id') ?? ''
  const status = statuses.find((each) => each === textIn(fields, 'status'))
  const isDraft = booleanOf(fields.get('draft'))
  const date = instantIn(fields, 'date')
  const createdAt = instantIn(fields, 'createdAt')
  const updatedAt = instantIn(fields, 'updatedAt')
  const first = instantIn(fields, 'firstPublishedAt')
  const authorId = textIn(fields, 'authorId')
  const categoryId = textIn(fields, 'categoryId')
  if (!isId('post', id)) return fault('its id is not that of a post')
  if (!status) return fault(`its status is none of ${statuses.join(', ')}`)
  if (isDraft === true && status === 'published') return fault('it says "draft: true", but its status is published; make its status draft')
  if (isDraft === false && status === 'draft') return fault('it says "draft: false", but its status is draft; make its status published')
  if (!createdAt || !updatedAt || date === undefined || first === undefined) return fault('one of its dates is missing or not well-formed')
  if (date === null && (status === 'published' || status === 'scheduled')) return fault(`a ${status} post needs a date`)
  if (authorId !== null && !isId('auth', authorId)) return fault('its authorId is not that of an author')
  if (categoryId !== null && !isId('cat', categoryId)) return fault('its categoryId is not that of a category')
  const publishedAt = status === 'published' || status === 'archived' ? date : null
  return {
    kind: 'post',
    path,
    post: {
      id,
      title: textIn(fields, 'title') ?? '',
      slug: textIn(fields, 'slug') ?? '',
      content: body,
      excerpt: textIn(fields, 'excerpt'),
      status,
      publishedAt,
      scheduledFor: status === 'scheduled' ? date : null,
      firstPublishedAt: first ?? publishedAt,
      authorId,
      categoryId,
      tags: textsIn(fields, 'tags'),
      aliases: textsIn(fields, 'aliases'),
      seo: seoIn(fields),
      createdAt,
      updatedAt,
    },
    oldSlugs: textsIn(fields, 'oldSlugs'),
    note:
      isDraft === undefined && status === 'draft'
        ? 'it has no "draft: true", but its status is draft; to publish it, make its status published'
        : null,
    hash: areExported(fields.keys(), mapIn(fields, 'seo').keys()) ? hash : null,
  }
}

function fault(reason: string) {
  return { fault: reason, line: null } as const
}

function seoIn(fields: FieldMap): Post['seo'] {
  const seo = mapIn(fields, 'seo')
  return {
    title: textIn(seo, 'title'),
    description: textIn(seo, 'description'),
    canonicalUrl: textIn(seo, 'canonicalUrl'),
    ogImage: textIn(seo, 'ogImage'),
  }
}

function mapIn(fields: FieldMap, name: string): FieldMap {
  const value = fields.get(name)
  return isFieldMap(value) ? value : noFields
}

/** Null if there is none, undefined if it cannot be read. */
function instantIn(fields: FieldMap, name: string): Instant | null | undefined {
  const value = textIn(fields, name)
  return value === null ? null : parseInstant(value)
}
