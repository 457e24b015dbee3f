import type { Author, Category, ProjectApi, Tag } from './verso.ts'

/** Lists in forms name so many at most; beyond that one searches. */
const most = 500

async function first<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length >= most) break
  }
  return found
}

/** Authors by name. */
export function listAuthors({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly Author[]> {
  return first(verso.authors.all({}, { signal }))
}

/** Categories by name. */
export function listCategories({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly Category[]> {
  return first(verso.categories.all({}, { signal }))
}

/** Tags, those of most posts first. */
export function listTags({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly Tag[]> {
  return first(verso.tags.all({ sort: '-post_count' }, { signal }))
}
