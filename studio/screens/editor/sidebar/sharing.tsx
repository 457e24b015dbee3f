import { serviceUrl } from '../../../api/address.ts'
import { explainVisibility, listPreviews, makePreview, revokePreview } from '../../../api/sharing.ts'
import type { Post, Visibility } from '../../../api/verso.ts'
import { formatDate, type MessageKey, t } from '../../../i18n/catalogue.ts'
import { api } from '../../../route/project.ts'
import { useLoaded } from '../../../ui/loading.ts'
import { attempt, say } from '../../../ui/toasts.tsx'

interface SharingProps {
  readonly post: Post
  readonly address: string | undefined
}

const reasons: Readonly<Partial<Record<Visibility['rule'], MessageKey>>> = {
  published: 'editor.visible',
  draft: 'editor.hiddenDraft',
  scheduled: 'editor.hiddenScheduled',
  archived: 'editor.hiddenArchived',
}

/** Who can see the post, and links that show it before it is public. */
export function Sharing({ post, address }: SharingProps) {
  const visibility = useLoaded(`${post.id} ${post.version}`, (stop) => explainVisibility(api(), post.id, stop))
  const links = useLoaded(post.id, (stop) => listPreviews(api(), post.id, stop))
  const copy = () =>
    attempt(async () => {
      const token = await makePreview(api(), post.id)
      // A site that shows previews reads the token from its own address; without one, the API itself answers.
      const base = address ?? new URL(`v1/posts/${post.id}`, serviceUrl).href
      const link = new URL(base)
      link.searchParams.set('preview_token', token)
      await navigator.clipboard.writeText(link.href)
      say(t('editor.linkCopied'))
      links.reload()
    })
  const revoke = (id: string) =>
    attempt(async () => {
      await revokePreview(api(), post.id, id)
      links.reload()
    })
  const reason = visibility.value && reasons[visibility.value.rule]
  return (
    <>
      <p class="note">{reason ? t(reason) : (visibility.value?.detail ?? '')}</p>
      <button type="button" class="button" onClick={copy}>
        {t('editor.makeLink')}
      </button>
      <ul class="links">
        {links.value?.map(({ id, expiresAt }) => (
          <li key={id}>
            <span class="note">{t('editor.linkUntil', { date: formatDate(expiresAt) })}</span>
            <button type="button" class="button quiet" onClick={() => revoke(id)}>
              {t('editor.revoke')}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
