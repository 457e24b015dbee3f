import { serviceUrl } from '../../../api/address.ts'
import { statuses } from '../../../api/posts.ts'
import type { Post } from '../../../api/verso.ts'
import { formatDate, t } from '../../../i18n/catalogue.ts'
import { verso } from '../../../route/router.ts'
import { Button } from '../../../ui/controls.tsx'
import { attempt, say } from '../../../ui/layers.tsx'
import { useLoaded } from '../../../ui/loading.tsx'

/** Who can see the post, and links that show it before it is public. */
export function Sharing({ post: { id, version }, address }: { readonly post: Post; readonly address: string | undefined }) {
  const { value: visibility } = useLoaded(`${id} ${version}`, (stop) =>
    verso().request('GET /v1/posts/{idOrSlug}/visibility', { idOrSlug: id }, stop),
  )
  const links = useLoaded(id, (stop) =>
    verso().request('GET /v1/posts/{idOrSlug}/preview-tokens', { idOrSlug: id, limit: 100, total: false }, stop),
  )
  const copy = async () => {
    const { token } = await verso().posts.createPreviewToken(id)
    // A site that shows previews reads the token from its own address; without one, the API itself answers.
    const link = new URL(address ?? new URL(`v1/posts/${id}`, serviceUrl))
    link.searchParams.set('preview_token', token)
    await navigator.clipboard.writeText(link.href)
    say(t('editor.linkCopied'))
    links.reload()
  }
  const revoke = async (tokenId: string) => {
    await verso().request('DELETE /v1/posts/{idOrSlug}/preview-tokens/{tokenId}', { idOrSlug: id, tokenId })
    links.reload()
  }
  const rule = statuses.find((each) => each === visibility?.rule)
  return (
    <>
      <p class="note">{rule ? t(`editor.visible_${rule}`) : visibility?.detail}</p>
      <Button label={t('editor.makeLink')} onClick={() => attempt(copy)} />
      <ul class="links">
        {links.value?.data.map((link) => (
          <li key={link.id}>
            <span class="note">{t('editor.linkUntil', { date: formatDate(link.expiresAt) })}</span>
            <Button kind="quiet" label={t('editor.revoke')} onClick={() => attempt(() => revoke(link.id))} />
          </li>
        ))}
      </ul>
    </>
  )
}
