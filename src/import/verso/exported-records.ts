import { validatorOf } from '../../actions/validation/validate.ts'
import type { Validated } from '../../actions/validation/validated.ts'
import { type ExportedTag, exportFiles } from '../../maintenance/export/export-format.ts'
import type { Author } from '../../resources/authors/author.ts'
import { AuthorCreate } from '../../resources/authors/author-schema.ts'
import type { Category } from '../../resources/categories/category.ts'
import { CategoryCreate } from '../../resources/categories/category-schema.ts'
import type { Media } from '../../resources/media/media.ts'
import { MediaCreate } from '../../resources/media/media-schema.ts'
import { type IdOf, isId, type Kind } from '../../values/ids.ts'
import { type Instant, parseInstant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'
import { isSlug, slugBase } from '../../values/slug.ts'
import type { FieldMap } from '../front-matter/field-value.ts'
import type { SourceFault } from '../source-post.ts'
import { readRecords, textIn, toFault } from './read-export.ts'

/** What the lists of an export hold. */
export interface ExportedRecords {
  readonly authors: readonly Author[]
  readonly categories: readonly Category[]
  readonly tags: readonly ExportedTag[]
  readonly media: readonly Media[]
  readonly faults: readonly SourceFault[]
}

const prefixes = { author: 'auth', category: 'cat', media: 'med' } as const

/** Reads the lists of an export. Records that the API would refuse are at fault. */
export function readExportedRecords(folder: string): ExportedRecords {
  const faults: SourceFault[] = []
  const records = (path: string) => {
    const found = readRecords(folder, path)
    if ('kind' in found) faults.push(found)
    return 'kind' in found ? [] : found
  }
  const checked = <V, R>(path: string, kind: keyof typeof prefixes, check: Check<V>, toRecord: (value: V, stamp: Stamp) => R): R[] =>
    records(path).flatMap((fields, index) => {
      const stamp = stampOf(fields, kind)
      const result = check(valuesIn(fields))
      if (stamp && result.ok) return toRecord(result.value, stamp)
      const reason = result.ok ? 'its id or one of its dates is not well-formed' : result.faults.map(({ detail }) => detail).join(' ')
      faults.push(toFault(path, `record ${index + 1}: ${reason}`))
      return []
    })
  return {
    authors: checked(exportFiles.authors, 'author', validatorOf(AuthorCreate), (value, stamp) => ({
      slug: slugBase(value.name) || 'author',
      email: null,
      bio: null,
      avatarUrl: null,
      ...value,
      ...stampFor<'author'>(stamp),
    })),
    categories: checked(exportFiles.categories, 'category', validatorOf(CategoryCreate), (value, stamp) => ({
      slug: slugBase(value.name) || 'category',
      description: null,
      ...value,
      ...stampFor<'category'>(stamp),
    })),
    media: checked(
      exportFiles.media,
      'media',
      validatorOf(MediaCreate),
      (value, stamp) => ({ ...value, ...stampFor<'media'>(stamp) }) as Media,
    ),
    tags: records(exportFiles.tags).flatMap((fields) => {
      const { name, slug } = { name: textIn(fields, 'name'), slug: textIn(fields, 'slug') }
      return name !== null && slug !== null && isSlug(slug) ? { name: fold(name.trim()), slug } : []
    }),
    faults,
  }
}

type Check<V> = (value: unknown) => Validated<V>

interface Stamp {
  readonly id: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

function stampFor<K extends Kind>({ id, createdAt, updatedAt }: Stamp) {
  return { id: id as IdOf<K>, createdAt, updatedAt, version: 1 }
}

function stampOf(fields: FieldMap, kind: keyof typeof prefixes): Stamp | undefined {
  const id = textIn(fields, 'id') ?? ''
  const createdAt = parseInstant(textIn(fields, 'createdAt') ?? '')
  const updatedAt = parseInstant(textIn(fields, 'updatedAt') ?? '')
  return isId(prefixes[kind], id) && createdAt && updatedAt ? { id, createdAt, updatedAt } : undefined
}

const numbers = new Set(['size', 'width', 'height'])

function valuesIn(fields: FieldMap): Readonly<Record<string, unknown>> {
  const own = [...fields].filter(([name]) => !['id', 'createdAt', 'updatedAt'].includes(name))
  return Object.fromEntries(own.map(([name, value]) => [name, numbers.has(name) ? Number(value) : (value ?? '')]))
}
