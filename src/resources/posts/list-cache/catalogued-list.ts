import type { Page } from '../../../lists/page-query.ts'
import { cursorValues } from '../../../lists/sort-terms.ts'
import { type PostPlan, sortColumns } from '../list/post-page-store.ts'
import { type PartReading, readParts } from './fragment-store.ts'
import { type PostPart, type PostPieces, piecesOf, sortKeysOf } from './post-fragment.ts'
import { type CataloguedPage, findCataloguedPage } from './post-index-page.ts'

interface CatalogueReading extends PartReading {
  readonly plan: PostPlan
  readonly revision: number
}

/** A page of posts by the catalogue of their project, where there is one, or it is time to make it. */
export async function writeCatalogued(reading: CatalogueReading): Promise<Page<PostPieces> | undefined> {
  const { db, known, sight, plan, revision, withContent } = reading
  const page = await findCataloguedPage({ db, sight, plan, revision, catalogues: known.catalogues })
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
