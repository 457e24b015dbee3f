import { type Page, toPage } from '../../../lists/page-query.ts'
import type { Instant } from '../../../values/instant.ts'
import type { PostRef } from '../list-cache/fragment-cache.ts'
import { keepPart, type PartReading, readParts } from '../list-cache/fragment-store.ts'
import { type PostPart, type PostPieces, piecesOf, toNames } from '../list-cache/post-fragment.ts'
import { writeCatalogued } from '../list-cache/post-index-page.ts'
import { refsOnPage } from '../list-cache/post-version-store.ts'
import { bodiesOnPage, listPosts, namesIn } from '../post-body-store.ts'
import { type ListedPost, postList } from '../post-schema.ts'
import { leap } from './day-offset-store.ts'
import { countPosts, type PageShape, type PageValues, type PostPlan, pageValues, postTerms } from './post-page-store.ts'
import { findWays } from './search-plan-store.ts'

export interface ListReading extends Omit<PartReading, 'withContent'> {
  readonly plan: PostPlan
  readonly now: Instant
  /** As far as the log is for the key that asks. */
  readonly revision: number
}

/** A reading with what its statements take. */
interface PageReading extends ListReading, PartReading {
  readonly values: PageValues
  readonly shape: PageShape
}

/** A post of a page, in bytes. */
interface Written {
  readonly row: PostRef & Readonly<Record<string, unknown>>
  readonly pieces: PostPieces
}

/** A page of posts, as the bytes of their JSON, but where odd fields were asked for, or matches. Not for the trash, which has no parts. */
export async function listPostsAsJson(reading: ListReading): Promise<Page<PostPieces | ListedPost>> {
  const { db, known, sight, plan, now } = reading
  const withContent = wantsContent(plan)
  const isSearch = plan.filters.search !== undefined || plan.filters.q !== undefined
  if (withContent === undefined || isSearch) return listPosts(db, sight, plan, now)
  const catalogued = await writeCatalogued({ ...reading, withContent })
  if (catalogued) return catalogued
  const search = await findWays(db, sight, plan)
  const values = await leap(db, sight, plan, pageValues(sight, plan, search, now))
  const paged: PageReading = { ...reading, withContent, values, shape: { sort: plan.sort, drafts: sight.drafts, way: 'read' } }
  const written = (known.mostAreKnown ? await fromKnown(paged) : undefined) ?? (await fromRows(paged))
  const total = await countPosts(db, sight, plan, search, now)
  const page = toPage(
    written.map(({ row }) => row),
    plan,
    postTerms(plan),
    { total, toItem: ({ id }) => id },
  )
  return { ...page, items: written.slice(0, plan.limit).map(({ pieces }) => pieces) }
}

/** None where neither all fields were asked for nor all but the content. */
function wantsContent({ fields }: PostPlan): boolean | undefined {
  if (!fields || fields.length === postList.fields.length) return true
  return fields.length === postList.fields.length - 1 && !fields.includes('content') ? false : undefined
}

/**
 * Reads which versions of which posts are on the page, and of those alone that are not known the rest. None where that does not give the whole
 * page as it was at one moment.
 */
async function fromKnown(reading: PageReading): Promise<readonly Written[] | undefined> {
  const { db, known, values, shape } = reading
  const rows = await refsOnPage(db, values, { ...shape, names: false })
  const parts = partsOf(reading, rows)
  const missing = rows.filter(({ id }) => !parts.has(id))
  known.mostAreKnown = missing.length * 2 <= rows.length
  const names = rows.flatMap((row) => known.findNames(values.projectId, row) ?? [])
  if (names.length < rows.length) return missing.length > 0 ? undefined : fromNamed(reading)
  for (const { row, part } of await readParts(
    reading,
    missing.map(({ id }) => id),
  ))
    if (row.revision === rows[0]?.revision) parts.set(row.id, part)
  return putTogether(reading, { rows, parts, names })
}

/** The same where a post is known, but not what the resources that it names are called now. */
async function fromNamed(reading: PageReading): Promise<readonly Written[] | undefined> {
  const { db, known, values, shape } = reading
  const rows = await refsOnPage(db, values, { ...shape, names: true })
  const names = rows.map((row) => known.keepNames(values.projectId, row, toNames(namesIn(row))))
  return putTogether(reading, { rows, parts: partsOf(reading, rows), names })
}

interface Found {
  readonly rows: readonly Written['row'][]
  readonly parts: ReadonlyMap<string, PostPart>
  /** Of each row. */
  readonly names: readonly Uint8Array[]
}

function putTogether({ withContent }: PageReading, { rows, parts, names }: Found): readonly Written[] | undefined {
  const written = rows.flatMap((row, i) => {
    const part = parts.get(row.id)
    const named = names[i]
    return part && named ? [{ row, pieces: piecesOf(part, named, withContent) }] : []
  })
  return written.length === rows.length ? written : undefined
}

function partsOf({ known, values, withContent }: PageReading, rows: readonly PostRef[]): Map<string, PostPart> {
  const parts = new Map<string, PostPart>()
  for (const row of rows) {
    const part = known.findPart(values.projectId, row, withContent)
    if (part) parts.set(row.id, part)
  }
  return parts
}
/** Reads all of a page in one statement. */
async function fromRows(reading: PageReading): Promise<readonly Written[]> {
  const { db, known, values, shape, withContent } = reading
  const rows = await bodiesOnPage(db, values, { ...shape, withContent })
  let hits = 0
  const written = rows.map((row) => {
    const part = known.findPart(values.projectId, row, withContent)
    if (part) hits += 1
    return { row, pieces: piecesOf(part ?? keepPart(reading, row), toNames(namesIn(row)), withContent) }
  })
  known.mostAreKnown = hits * 2 >= rows.length
  return written
}
