import type { Post } from '../api/verso.ts'
import { formatDate, t } from '../i18n/catalogue.ts'

type Stated = Pick<Post, 'status' | 'publishedAt' | 'scheduledFor'>

/** The status of a post: a mark that differs by shape, and words. */
export function PostStatus({ post }: { readonly post: Stated }) {
  return (
    <span class="status">
      <span class={`mark ${post.status}`} aria-hidden="true" />
      {statusText(post)}
    </span>
  )
}

export function statusText({ status, scheduledFor }: Stated): string {
  if (status === 'scheduled' && scheduledFor) return t('status.scheduledFor', { date: formatDate(scheduledFor, 'time') })
  return t(`status.${status}`)
}
