import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { countPosts, type ListedPost, listPosts, type PostFilter, type Sort, type Status, sorts, statuses } from '../../api/posts.ts'
import { formatNumber, t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { address, navigate } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { usePages } from '../../ui/use-pages.ts'
import { PostFilters } from './post-filters.tsx'
import { PostRows } from './post-row.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** What the address asks for. */
function filterIn(query: URLSearchParams): PostFilter {
  const named = (name: string) => query.get(name) ?? undefined
  const status = statuses.find((each) => each === named('status'))
  const sort = sorts.find((each) => each === named('sort')) ?? '-updated_at'
  return { status, sort, search: named('search'), author: named('author'), category: named('category'), tag: named('tag') }
}

/** Shows other posts; typing leaves no steps to come back to. */
function show(filter: PostFilter, { replace = false } = {}): void {
  const { sort, ...rest } = filter
  const query = new URLSearchParams(
    Object.entries({ ...rest, sort: sort === '-updated_at' ? '' : sort }).filter((entry): entry is [string, string] => !!entry[1]),
  )
  const search = query.toString()
  navigate(screenPath('posts') + (search && `?${search}`), { replace })
}

/** The list of posts. */
export function Posts() {
  const filter = filterIn(address.value.query)
  const key = JSON.stringify(filter)
  const pages = usePages(key, (options) => listPosts(api(), filter, options))
  const { items: posts } = pages
  // The posts come first; what stands around them waits.
  const isShown = useRef(false)
  if (!pages.isLoading) isShown.current = true
  const counts = useLoaded(isShown.current ? `${key} ${pages.turn}` : undefined, (stop) => countPosts(api(), filter, stop))
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedPost>>(new Map())
  const newPost = screenPath('posts', 'new')
  useCommands(useMemo(() => [{ title: t('posts.new'), keys: 'n', run: () => navigate(newPost) }], [newPost]))
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
      <header class="page-head">
        <h1>{t('posts.title')}</h1>
        {can('posts:write') && (
          <a class="button primary" href={newPost}>
            <Icon name="plus" />
            {t('posts.new')}
          </a>
        )}
      </header>
      <Tabs filter={filter} counts={counts.value} />
      <PostFilters filter={filter} isShown={isShown.current} onChange={show} />
      {pages.error ? (
        <ProblemPanel error={pages.error} retry={pages.reload} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: no list may have parts that are no rows
        <div class="post-list" role="list" aria-busy={pages.isLoading} aria-label={t('posts.title')}>
          {partsOf(posts).map((part) => (
            <PostRows key={part[0]?.id} posts={part} sort={filter.sort} selected={selected} onSelect={toggle} />
          ))}
        </div>
      )}
      {!pages.isLoading && !pages.error && posts.length === 0 && <NoPosts filter={filter} newPost={newPost} />}
      <div class="list-end" ref={pages.end} />
      {selected.size > 0 && (
        <SelectionBar
          posts={[...selected.values()]}
          onDone={pages.reload}
          onClear={() => setSelected(new Map())}
          onAll={() => setSelected(new Map(posts.map((post) => [post.id, post])))}
        />
      )}
    </>
  )
}

/** Rows that are drawn together, and skipped together where nobody sees them. A part that is whole stays the same when others come. */
const partSize = 20
const parts = new WeakMap<ListedPost, readonly ListedPost[]>()

function partsOf(posts: readonly ListedPost[]): readonly (readonly ListedPost[])[] {
  return Array.from({ length: Math.ceil(posts.length / partSize) }, (_, i) => {
    const part = posts.slice(i * partSize, (i + 1) * partSize)
    const [first] = part
    const known = first && parts.get(first)
    if (known?.length === part.length && known.every((post, at) => post === part[at])) return known
    if (first) parts.set(first, part)
    return part
  })
}

interface TabsProps {
  readonly filter: PostFilter
  readonly counts: Readonly<Record<Status | 'all', number>> | undefined
}

function Tabs({ filter, counts }: TabsProps) {
  return (
    <nav class="tabs" aria-label={t('posts.byStatus')}>
      {([undefined, ...statuses] as const).map((status) => (
        <button
          key={status ?? 'all'}
          type="button"
          class="tab"
          aria-current={filter.status === status ? 'true' : undefined}
          onClick={() => show({ ...filter, status })}
        >
          {t(`posts.tab_${status ?? 'all'}`)}
          <span class="tab-count">{counts ? formatNumber(counts[status ?? 'all']) : ''}</span>
        </button>
      ))}
    </nav>
  )
}

function NoPosts({ filter, newPost }: { readonly filter: PostFilter; readonly newPost: string }) {
  const { status, search, author, category, tag } = filter
  const isNarrowed = Boolean(search || author || category || tag)
  if (isNarrowed)
    return (
      <div class="empty">
        <p>{t('posts.noneFound')}</p>
        <button type="button" class="button" onClick={() => show({ status, sort: '-updated_at' satisfies Sort })}>
          {t('posts.clear')}
        </button>
      </div>
    )
  return (
    <div class="empty">
      <p>{t(status ? 'posts.noneOfStatus' : 'posts.none')}</p>
      {!status && can('posts:write') && (
        <a class="button" href={newPost}>
          {t('posts.writeFirst')}
        </a>
      )}
    </div>
  )
}
