import { useMemo } from 'preact/hooks'
import type { ListedPost } from '../../api/posts.ts'
import { t } from '../../i18n/catalogue.ts'
import { screenPath } from '../../route/router.ts'
import { PostStatus, Since } from '../../ui/controls.tsx'
import type { Sort } from './post-filters.tsx'

interface PostRowsProps {
  readonly posts: readonly ListedPost[]
  /** Decides which date is shown. */
  readonly sort: Sort
  readonly selected: ReadonlyMap<string, unknown>
  onSelect(post: ListedPost): void
}

/** Some rows. They are not drawn again when others come. */
export function PostRows({ posts, sort, selected, onSelect }: PostRowsProps) {
  const isSelecting = selected.size > 0
  return useMemo(
    () => (
      <div class="post-rows" role="presentation">
        {posts.map((post) => (
          <Row key={post.id} post={post} sort={sort} isSelected={selected.has(post.id)} isSelecting={isSelecting} onSelect={onSelect} />
        ))}
      </div>
    ),
    [posts, sort, isSelecting && selected, onSelect],
  )
}

interface RowProps extends Pick<PostRowsProps, 'sort' | 'onSelect'> {
  readonly post: ListedPost
  readonly isSelected: boolean
  readonly isSelecting: boolean
}

/** A post in the list: its title is the link, which reaches over the whole row. */
function Row({ post, sort, isSelected, isSelecting, onSelect }: RowProps) {
  const { id, title, author, category, tags, createdAt, publishedAt, updatedAt } = post
  const at = (sort === '-published_at' ? publishedAt : sort === '-created_at' ? createdAt : undefined) ?? updatedAt
  const about = [author?.name, category?.name, tags.slice(0, 3).join(', ')].filter(Boolean).join(' · ')
  return (
    // biome-ignore lint/a11y/useSemanticElements: between it and its list stands a part of the list
    <div role="listitem" class={isSelecting ? 'post-row selecting' : 'post-row'} data-selected={isSelected || undefined}>
      <label class="post-check">
        <input type="checkbox" checked={isSelected} onChange={() => onSelect(post)} />
        <span class="hidden">{t('posts.select', { title })}</span>
      </label>
      <div class="post-what">
        <a class="post-title" href={screenPath('posts', id)}>
          {title}
        </a>
        <span class="post-about">{about}</span>
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
