import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { Page } from '../../../lists/page-query.ts'
import { cursorValues } from '../../../lists/sort-terms.ts'
import { type PostPlan, sortColumns } from '../list/post-page-store.ts'
import { type PartReading, readParts } from './fragment-store.ts'
import { type PostPart, type PostPieces, piecesOf, sortKeysOf } from './post-fragment.ts'
import { type Catalogue, countOff, type Members, type Order } from './post-index.ts'
import { readCatalogue, readOrder, readTagged } from './post-index-store.ts'

export interface CatalogueReading extends PartReading {
  readonly plan: PostPlan
  /** As far as the log is for the key that asks. */
  readonly revision: number
}

/** A page of a catalogue: the numbers of its posts, and how many the list has in all, or more than are on this page where there are. */
interface CataloguedPage {
  readonly catalogue: Catalogue
  readonly numbers: readonly number[]
  readonly total: number
}

/** The filters of which a catalogue knows. */
const filtersKnown = ['status', 'author', 'category', 'tag', 'published_after', 'published_before', 'updated_after']

/** Counts off a page without looking at posts; none where there is no catalogue, and it is not the time to make one. */
async function findCataloguedPage(reading: CatalogueReading): Promise<CataloguedPage | undefined> {
  const { db, known, sight, plan, revision } = reading
  const { catalogues } = known
  const { position, limit, filters: asked } = plan
  const isKnown = Object.keys(asked).every((name) => filtersKnown.includes(name))
  if (!isKnown || position.kind !== 'page' || sight.onlyPost !== undefined) return undefined
  const catalogue = catalogues.find(sight, revision) ?? (await makeCatalogue(reading))
  if (!catalogue) return undefined
  const order = await findOrder(db, sight, plan, catalogue)
  const filters = order && (await findFilters(db, sight, plan, catalogue))
  if (!filters) {
    catalogues.drop(sight)
    return undefined
  }
  const start = (position.page - 1) * limit
  return { catalogue, ...countOff(order, filters, { start, end: start + limit, isCounted: plan.total }) }
}

async function makeCatalogue({ db, known, sight, revision }: CatalogueReading): Promise<Catalogue | undefined> {
  const { catalogues } = known
  if (!catalogues.isWorthMaking(sight, revision)) return undefined
  const catalogue = await readCatalogue(db, sight, revision)
  if (catalogue) catalogues.keep(sight, revision, catalogue)
  return catalogue
}

async function findOrder(db: Db, sight: Sight, { sort }: PostPlan, catalogue: Catalogue): Promise<Order | undefined> {
  const name = sort.map((key) => `${key.descending ? '-' : ''}${key.name}`).join()
  const known = catalogue.orders.find(name)
  if (known) return known
  const order = await readOrder(db, sight, sort, catalogue)
  return order && catalogue.orders.keep(name, order)
}

/** Who passes each of the filters of a plan; none where the catalogue is not what there is any more. */
async function findFilters(db: Db, sight: Sight, { filters }: PostPlan, catalogue: Catalogue): Promise<readonly Members[] | undefined> {
  const { status, author, category, tag } = filters
  const passing: Members[] = []
  const add = (name: string, make: () => Members) => passing.push(catalogue.members.find(name) ?? catalogue.members.keep(name, make()))
  if (author) add(`author ${author}`, () => catalogue.membersWith<string | null>(catalogue.authors, author))
  if (category)
    add(`category ${category}`, () => catalogue.membersWith<string | null>(catalogue.categories, catalogue.categoriesCalled(category)))
  if (tag) {
    const tagged = catalogue.members.find(`tag ${tag}`) ?? (await readTagged(db, sight, tag, catalogue))
    if (!tagged) return undefined
    add(`tag ${tag}`, () => tagged)
  }
  // Last, for it lets the most pass.
  if (status) add(`status ${status}`, () => catalogue.membersWith(catalogue.statuses, status))
  return [...passing, ...byTime(filters, catalogue)]
}

/** Times are of a fixed width, and in the order of their milliseconds; what has none passes no filter by it. */
function byTime(filters: PostPlan['filters'], { publishedAt, updatedAt }: Catalogue): Members[] {
  const { published_after, published_before, updated_after } = filters
  return [
    ...(published_after ? [within(publishedAt, Date.parse(published_after), Number.POSITIVE_INFINITY)] : []),
    ...(published_before ? [within(publishedAt, Number.NEGATIVE_INFINITY, Date.parse(published_before))] : []),
    ...(updated_after ? [within(updatedAt, Date.parse(updated_after), Number.POSITIVE_INFINITY)] : []),
  ]
}

/** From an instant on, and before another. A loop, for `from` takes ten times as long. */
function within(times: Float64Array, from: number, before: number): Members {
  const members = new Uint8Array(times.length)
  for (let i = 0; i < times.length; i++) {
    const time = times[i] ?? Number.NaN
    members[i] = time >= from && time < before ? 1 : 0
  }
  return members
}

/** A page of posts by the catalogue of their project, where there is one, or it is time to make it. */
export async function writeCatalogued(reading: CatalogueReading): Promise<Page<PostPieces> | undefined> {
  const { plan, withContent } = reading
  const page = await findCataloguedPage(reading)
  const parts = page && (await findParts(reading, page))
  if (!page || !parts) return undefined
  const { catalogue, numbers, total } = page
  const hasMore = plan.position.kind === 'page' && plan.position.page * plan.limit < total
  const last = parts.at(-1)
  return {
    items: parts.map((part, i) => piecesOf(part, catalogue.namesOf(numbers[i] ?? -1), withContent)),
    hasMore,
    last: hasMore && last ? cursorValues(plan.sort, sortColumns, sortKeysOf(last)) : undefined,
    total: plan.total ? total : undefined,
  }
}

/** The parts of the posts on a page, in order; none where one of them is not the version that was catalogued any more. */
async function findParts(reading: CatalogueReading, { catalogue, numbers }: CataloguedPage): Promise<readonly PostPart[] | undefined> {
  const { known, sight, withContent } = reading
  const wanted = numbers.map((number) => catalogue.versionOf(number))
  const parts = wanted.map((version) => known.findVersion(sight.projectId, version, withContent))
  const missing = wanted.filter((_, i) => !parts[i])
  const read = new Map(
    (
      await readParts(
        reading,
        missing.map(({ id }) => id),
      )
    ).map(({ part }) => [part.id, part]),
  )
  const all = wanted.flatMap(({ id, version, updatedAtMs }, i) => {
    const part = parts[i] ?? read.get(id)
    return part?.version === version && part.updatedAtMs === updatedAtMs ? [part] : []
  })
  return all.length === wanted.length ? all : undefined
}
