import type { Page } from '../../../lists/page-query.ts'
import type { AtRevision, Reads } from '../../../lists/read-at-revision.ts'
import { type ListRequest, listPlainPosts } from '../list/post-list-store.ts'
import { cached } from '../list-cache/cached-list.ts'
import { type CompletePosts, includeFields, type PlainPost, type PostRendering } from './include-fields.ts'

type PiecePage = Page<CompletePosts['items'][number]>

/** Lists of posts with what `include` names. */
export function includingLists({ renderer, findMedia }: PostRendering) {
  const listCached = cached(listPlainPosts)
  /** Of this size, a look-up is a statement or two. */
  const fewUrls = 100

  return {
    /** A list that is cached while its revision lasts. Nothing is rendered while the snapshot is open. */
    async cached(
      { reads, plan, now }: Pick<ListRequest, 'plan' | 'now'> & { readonly reads: Reads },
      asker: string,
    ): Promise<AtRevision<PiecePage>> {
      const { value: page, revision } = await listCached({ reads, plan, now })
      let mediaRevision = revision
      const readMedia = async (urls: readonly string[]) => {
        const read = urls.length <= fewUrls ? reads.short : reads.long
        const found = await read((db) => findMedia(db, reads.sight.projectId, urls))
        mediaRevision = found.revision
        return found.value
      }
      const plain = page.items.filter((item): item is PlainPost => 'shown' in item)
      const { items, isLate } = await includeFields(plain, { include: plan.include ?? [], asker, renderer, readMedia })
      const isTransient = isLate || mediaRevision !== revision
      return { value: { ...page, items }, revision, ...(isTransient && { isTransient }) }
    },

    /** A list that is never cached. */
    async fresh(request: ListRequest, asker: string): Promise<PiecePage> {
      const { db, sight, plan } = request
      const page = await listPlainPosts(request)
      const readMedia = (urls: readonly string[]) => findMedia(db, sight.projectId, urls)
      const { items } = await includeFields(page.items, { include: plan.include ?? [], asker, renderer, readMedia })
      return { ...page, items }
    },
  }
}
