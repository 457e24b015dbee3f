import type { ListedPost } from '../../api/posts.ts'
import { Problem } from '../../api/verso.ts'
import { formatSince, t } from '../../i18n/catalogue.ts'
import { can, canChange, verso } from '../../route/router.ts'
import { Button, Icon, Menu, Since } from '../../ui/controls.tsx'
import { confirm } from '../../ui/form.tsx'
import { attempt, say } from '../../ui/layers.tsx'
import { usePages } from '../../ui/loading.tsx'
import { PageHead, Row, Rows } from '../../ui/rows.tsx'

/** Deleted posts stay so long. */
const keptDays = 30
const dayMs = 86_400_000

/** After so many days the post is erased. In the trash nothing changes a post, so it was deleted when it last changed. */
const daysLeft = ({ updatedAt }: ListedPost) => Math.max(0, Math.ceil((Date.parse(updatedAt) - Date.now()) / dayMs + keptDays))

/** Takes a post out of the trash, with another slug if another post has its own by now. */
async function restored(id: string) {
  try {
    return await verso().posts.restore(id)
  } catch (error) {
    const slug = error instanceof Problem && error.code === 'slug_conflict' ? error.document.suggestion : undefined
    if (slug === undefined) throw error
    return await verso().posts.restore(id, { slug })
  }
}

/** What was deleted, and how long it can still be restored. */
export function Screen() {
  const query = { trashed: true, sort: '-updated_at', exclude: 'content', limit: 50 } as const
  const pages = usePages('trash', (more, stop) => verso().posts.list({ ...query, ...more }, stop))
  const restore = async ({ id, title, slug: before }: ListedPost) => {
    await attempt(async () => {
      const { slug } = await restored(id)
      const undo = () => verso().posts.delete(id).then(pages.reload)
      say(t(slug === before ? 'trash.restored' : 'trash.restoredAs', { title, slug }), undo)
    })
    pages.reload()
  }
  const erase = ({ id, title }: ListedPost) =>
    confirm({
      deed: 'erase',
      name: title,
      text: t('trash.eraseWhat', { title }),
      onConfirm: () => verso().posts.delete(id, { permanent: true }).then(pages.reload),
    })
  return (
    <>
      <PageHead title={t('trash.title')} />
      <p class="page-note">{t('trash.what')}</p>
      <Rows label={t('trash.title')} list={pages} none={t('trash.none')} kind="rows stacked">
        {(post) => {
          const { id, title, status, author, updatedAt } = post
          const about = [t(`status.${status}`), author?.name, t('trash.deleted', { when: formatSince(updatedAt) })]
          const items = [{ label: t('deeds.erase'), isDanger: true, run: () => erase(post) }]
          return (
            <Row key={id} name={title} about={about}>
              <Since at={updatedAt} text={t('trash.daysLeft', { count: daysLeft(post) })} />
              {canChange(status) && (
                <Button label={t('trash.restore')} aria-label={t('trash.restoreOne', { title })} onClick={() => restore(post)} />
              )}
              {can('posts:delete') && <Menu label={t('trash.more', { title })} button={<Icon name="more" />} items={items} />}
            </Row>
          )
        }}
      </Rows>
    </>
  )
}
