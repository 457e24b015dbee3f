import { useEffect, useState } from 'preact/hooks'
import { previewStyleUrl } from '../../api/address.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { ProblemPanel, type Stop, useLoaded } from '../../ui/loading.tsx'
import type { Draft } from './saving/draft.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** What the site would show, as HTML that is safe in any page. */
async function rendered(id: string, isPending: boolean, stop: Stop): Promise<string> {
  if (!isPending) return (await verso().posts.get(id, { include: 'html', fields: 'title' }, stop)).contentHtml
  const edit = await verso().request('GET /v1/posts/{idOrSlug}/pending', { idOrSlug: id, include: 'html' }, stop)
  return edit.contentHtml ?? ''
}

/**
 * The post as Verso renders it. The frame runs no script and opens nothing: its sandbox allows only that it loads the style sheet, and the
 * content security policy of the page holds in it, too.
 */
export function Preview({ draft, onClose }: { readonly draft: Draft; onClose(): void }) {
  const [isPhone, setPhone] = useState(false)
  const [isAlone, setAlone] = useState(false)
  const [post, pending] = [draft.post.value, draft.pending.value]
  useEffect(() => void draft.flush(), [draft])
  const { value, error, reload } = useLoaded(`${post?.id} ${post?.version} ${pending?.version}`, async (stop) =>
    post ? rendered(post.id, pending !== undefined, stop) : '',
  )
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="${escaped(previewStyleUrl())}">`
  const page = `<!doctype html>${head}<article dir="auto"><h1>${escaped(draft.fields.value.title)}</h1>${value ?? ''}</article>`
  return (
    <section class={isAlone ? 'preview alone' : 'preview'} aria-label={t('editor.preview')}>
      <header class="preview-bar">
        <Button kind="wide-only" icon="full" label={t('editor.alone')} aria-pressed={isAlone} onClick={() => setAlone(!isAlone)} />
        <Button icon="desktop" label={t('editor.desktop')} aria-pressed={!isPhone} onClick={() => setPhone(false)} />
        <Button icon="phone" label={t('editor.phone')} aria-pressed={isPhone} onClick={() => setPhone(true)} />
        <Button icon="close" label={t('common.close')} onClick={onClose} />
      </header>
      {error ? (
        <ProblemPanel error={error} retry={reload} />
      ) : (
        <iframe class={isPhone ? 'phone' : ''} title={t('editor.preview')} sandbox="allow-same-origin" srcdoc={page} />
      )}
    </section>
  )
}
