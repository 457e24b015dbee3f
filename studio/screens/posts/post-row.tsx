import { useMemo } from 'preact/hooks'
import type { ListedPost, Sort } from '../../api/posts.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { screenPath } from '../../route/project.ts'
import { PostStatus } from '../../ui/status.tsx'

interface PostRowProps {
  readonly post: ListedPost
  /** Decides which date is shown. */
  readonly sort: Sort
  readonly isSelected: boolean
  readonly isSelecting: boolean
  onSelect(post: ListedPost): void
}

/** A row that has not changed is not drawn again when others come. */
export function PostRow({ post, sort, isSelected, isSelecting, onSelect }: PostRowProps) {
  const props = { post, sort, isSelected, isSelecting, onSelect }
  return useMemo(() => <Row {...props} />, Object.values(props))
}

/** A post in the list: its title is the link, which reaches over the whole row. */
function Row({ post, sort, isSelected, isSelecting, onSelect }: PostRowProps) {
  const { id, title, author, category, tags } = post
  const about = [author?.name, category?.name, tags.slice(0, 3).join(', ')].filter(Boolean).join(' · ')
  return (
    <li class={isSelecting ? 'post-row selecting' : 'post-row'} data-selected={isSelected || undefined}>
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
          <When post={post} sort={sort} />
        </span>
      </div>
    </li>
  )
}

function When({ post: { createdAt, publishedAt, updatedAt }, sort }: Pick<PostRowProps, 'post' | 'sort'>) {
  const at = (sort === '-published_at' ? publishedAt : sort === '-created_at' ? createdAt : undefined) ?? updatedAt
  return (
    <time dateTime={at} title={formatDate(at, 'time')}>
      {formatSince(at)}
    </time>
  )
}
