import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { type ListedPost, statuses } from '../../api/posts.ts'
import { formatNumber, t } from '../../i18n/catalogue.ts'
import { address, can, navigate, queryText, screenPath, verso } from '../../route/router.ts'
import { Button, PostStatus, Since } from '../../ui/controls.tsx'
import { ProblemPanel, type Stop, useLoaded, usePages } from '../../ui/loading.tsx'
import { ListEnd, PageHead } from '../../ui/rows.tsx'
import { addressed, filterIn, type PostFilter, PostFilters, queryOf, type Sort } from './post-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** What is drawn together: few enough that it holds up no frame. */
const limit = 20

/** Shows other posts; typing leaves no steps to come back to. */
const open = (filter: PostFilter, { replace = false } = {}) => navigate(screenPath('posts') + queryText(addressed(filter)), { replace })

/** How many posts there are of each status, with the other filters. */
async function countPosts(filter: PostFilter, stop: Stop): Promise<readonly number[]> {
  const count = async (status: PostFilter['status']) => {
    const { pagination } = await verso().posts.list({ ...queryOf({ ...filter, status }), limit: 1, fields: ['id'] }, stop)
    return pagination.total ?? 0
  }
  const counts = await Promise.all(statuses.map(count))
  return [counts.reduce((sum, each) => sum + each, 0), ...counts]
}

/** The list of posts. */
export function Screen() {
  const filter = filterIn(address.value.query)
  const key = JSON.stringify(filter)
  const pages = usePages(key, (more, stop) =>
    verso().posts.list({ ...queryOf(filter), sort: filter.sort, limit, exclude: 'content', ...more }, stop),
  )
  const { value: posts = [], isLoading, error, reload } = pages
  // The posts come first; what stands around them waits.
  const isShown = useRef(false)
  if (!isLoading) isShown.current = true
  const counts = useLoaded(isShown.current ? `${key} ${pages.turn}` : undefined, (stop) => countPosts(filter, stop))
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedPost>>(new Map())
  const newPost = screenPath('posts', 'new')
  const toggle = useCallback(
    (post: ListedPost) =>
      setSelected((before) => {
        const after = new Map(before)
        if (!after.delete(post.id)) after.set(post.id, post)
        return after
      }),
    [],
  )
  return (
    <>
      <PageHead title={t('posts.title')} create={can('posts:write') ? { label: t('posts.new'), href: newPost } : undefined} />
      <nav class="tabs" aria-label={t('posts.byStatus')}>
        {([undefined, ...statuses] as const).map((status, i) => (
          <button
            key={status}
            type="button"
            class="tab"
            aria-current={filter.status === status ? 'true' : undefined}
            onClick={() => open({ ...filter, status })}
          >
            {t(`posts.tab_${status ?? 'all'}`)}
            <span class="tab-count">{counts.value && formatNumber(counts.value[i] ?? 0)}</span>
          </button>
        ))}
      </nav>
      <PostFilters filter={filter} isShown={isShown.current} onChange={open} />
      {error ? (
        <ProblemPanel error={error} retry={reload} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: no list may have parts that are no rows
        <div
          class={selected.size > 0 ? 'post-list selecting' : 'post-list'}
          role="list"
          aria-busy={isLoading}
          aria-label={t('posts.title')}
        >
          {pages.pages?.map((page) => (
            <PostRows key={page[0]?.id} posts={page} sort={filter.sort} selected={selected} onSelect={toggle} />
          ))}
        </div>
      )}
      {!isLoading && !error && posts.length === 0 && <NoPosts filter={filter} newPost={newPost} />}
      <ListEnd more={pages.more} />
      {selected.size > 0 && (
        <SelectionBar
          posts={[...selected.values()]}
          onDone={reload}
          onClear={() => setSelected(new Map())}
          onAll={() => setSelected(new Map(posts.map((post) => [post.id, post])))}
        />
      )}
    </>
  )
}

function NoPosts({ filter, newPost }: { readonly filter: PostFilter; readonly newPost: string }) {
  const { status, sort, ...narrowing } = filter
  const isNarrowed = Object.values(narrowing).some(Boolean)
  return (
    <div class="empty">
      <p>{t(isNarrowed ? 'posts.noneFound' : status ? 'posts.noneOfStatus' : 'posts.none')}</p>
      {isNarrowed && <Button label={t('posts.clear')} onClick={() => open({ status, sort: '-updated_at' })} />}
      {!isNarrowed && !status && can('posts:write') && (
        <a class="button" href={newPost}>
          {t('posts.writeFirst')}
        </a>
      )}
    </div>
  )
}

interface PostRowsProps {
  readonly posts: readonly ListedPost[]
  /** Decides which date is shown. */
  readonly sort: Sort
  readonly selected: ReadonlyMap<string, unknown>
  onSelect(post: ListedPost): void
}

/** Some rows, whose titles lead to the posts. They are not drawn again when others come. */
function PostRows({ posts, sort, selected, onSelect }: PostRowsProps) {
  const row = (post: ListedPost) => {
    const { id, title, author, category, tags, createdAt, publishedAt, updatedAt } = post
    const at = (sort === '-published_at' ? publishedAt : sort === '-created_at' ? createdAt : undefined) ?? updatedAt
    const isSelected = selected.has(id)
    return (
      // biome-ignore lint/a11y/useSemanticElements: between it and its list stands a part of the list
      <div key={id} role="listitem" class="row post-row" data-selected={isSelected || undefined}>
        <label class="post-check">
          <input type="checkbox" checked={isSelected} onChange={() => onSelect(post)} />
          <span class="hidden">{t('posts.select', { title })}</span>
        </label>
        <div class="row-what">
          <a class="row-name row-open post-title" dir="auto" href={screenPath('posts', id)}>
            {title}
          </a>
          <span class="row-about">{[author?.name, category?.name, tags.slice(0, 3).join(', ')].filter(Boolean).join(' · ')}</span>
        </div>
        <div class="post-state">
          <PostStatus post={post} />
          <span class="post-when">
            {post.hasPendingEdit && <span class="pending-mark">{t('posts.pendingEdit')}</span>}
            <Since at={at} />
          </span>
        </div>
      </div>
    )
  }
  return useMemo(
    () => (
      <div class="post-rows" role="presentation">
        {posts.map(row)}
      </div>
    ),
    [posts, sort, selected, onSelect],
  )
}
