import type { Change } from '../../actions/change-log/change.ts'
import type { CategoryId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** A category that posts can name. */
export interface Category {
  readonly id: CategoryId
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const editable = ['name', 'slug', 'description'] as const

/** What a create or an update changes. A missing field stays as it is; `null` clears it. */
export type CategoryEdits = Partial<Pick<Category, (typeof editable)[number]>>

export function newCategory(
  id: CategoryId,
  edits: CategoryEdits & { readonly name: string; readonly slug: string },
  now: Instant,
): Category {
  const { name, slug, description = null } = edits
  return { id, name: name.trim(), slug, description, createdAt: now, updatedAt: now, version: 1 }
}

/** The edited category; the same object if the edits change nothing. Its slug stays when its name changes. */
export function editedCategory(category: Category, edits: CategoryEdits, now: Instant): Category {
  const name = edits.name?.trim() ?? category.name
  const edited = { ...category, ...edits, name }
  if (editable.every((field) => edited[field] === category[field])) return category
  return { ...edited, version: category.version + 1, updatedAt: now }
}

/** The row in the log. Categories have no draft state: public keys see all of them. */
export function categoryChange({ id, version }: Category, what: 'created' | 'updated' | 'deleted'): Change {
  return { kind: 'category', id, version, news: [`category.${what}`], publicBefore: what !== 'created', publicAfter: what !== 'deleted' }
}
