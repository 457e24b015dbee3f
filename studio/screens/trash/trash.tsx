import { useState } from 'preact/hooks'
import type { ListedPost } from '../../api/posts.ts'
import { daysLeft, deletePost, erasePost, listTrash, restorePost } from '../../api/trash.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { api, can } from '../../route/project.ts'
import { Confirm } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ProblemPanel } from '../../ui/problem.tsx'
import { PageHead } from '../../ui/rows.tsx'
import { attempt, say } from '../../ui/toasts.tsx'
import { usePages } from '../../ui/use-pages.ts'

/** What was deleted, and how long it can still be restored. */
export function Trash() {
  const pages = usePages('trash', (options) => listTrash(api(), options))
  const [erasing, setErasing] = useState<ListedPost>()
  const { items, isLoading, error } = pages

  const restore = async (post: ListedPost) => {
    await attempt(async () => {
      const { slug } = await restorePost(api(), post)
      const undo = async () => {
        await deletePost(api(), post.id)
        pages.reload()
      }
      say(t(slug === post.slug ? 'trash.restored' : 'trash.restoredAs', { title: post.title, slug }), undo)
    })
    pages.reload()
  }
  const erase = async (post: ListedPost) => {
    await erasePost(api(), post.id)
    setErasing(undefined)
    say(t('trash.erased', { title: post.title }))
    pages.reload()
  }

  return (
    <>
      <PageHead title={t('trash.title')} />
      <p class="page-note">{t('trash.what')}</p>
      {error ? (
        <ProblemPanel error={error} retry={pages.reload} />
      ) : (
        <ul class="rows stacked" aria-busy={isLoading} aria-label={t('trash.title')}>
          {items.map((post) => (
            <TrashedPost key={post.id} post={post} onRestore={() => restore(post)} onErase={() => setErasing(post)} />
          ))}
        </ul>
      )}
      {!isLoading && !error && items.length === 0 && <p class="empty">{t('trash.none')}</p>}
      <div class="list-end" ref={pages.end} />
      {erasing && (
        <Confirm
          title={t('trash.eraseTitle')}
          text={t('trash.eraseWhat', { title: erasing.title })}
          submit={t('trash.erase')}
          onConfirm={() => erase(erasing)}
          onClose={() => setErasing(undefined)}
        />
      )}
    </>
  )
}

interface TrashedPostProps {
  readonly post: ListedPost
  onRestore(): void
  onErase(): void
}

function TrashedPost({ post, onRestore, onErase }: TrashedPostProps) {
  const { title, status, author, updatedAt } = post
  const isPublic = status === 'published' || status === 'scheduled'
  return (
    <li>
      <div class="row-what">
        <strong class="row-name">{title}</strong>
        <span class="row-about">
          {[t(`status.${status}`), author?.name].filter(Boolean).join(' · ')}
          {' · '}
          <time dateTime={updatedAt} title={formatDate(updatedAt, 'time')}>
            {t('trash.deleted', { when: formatSince(updatedAt) })}
          </time>
        </span>
      </div>
      <div class="row-side">
        <span>{t('trash.daysLeft', { count: daysLeft(post) })}</span>
        {can(isPublic ? 'posts:publish' : 'posts:write') && (
          <button type="button" class="button" aria-label={t('trash.restoreOne', { title })} onClick={onRestore}>
            {t('trash.restore')}
          </button>
        )}
        {can('posts:delete') && (
          <Menu buttonClass="button quiet square" label={t('trash.more', { title })} button={<Icon name="more" />}>
            <button type="button" class="danger" onClick={onErase}>
              {t('trash.erase')}
            </button>
          </Menu>
        )}
      </div>
    </li>
  )
}
