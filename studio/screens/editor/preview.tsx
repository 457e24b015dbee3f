import { useEffect, useState } from 'preact/hooks'
import { previewStyleUrl } from '../../api/address.ts'
import { renderEdited } from '../../api/edits.ts'
import { t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import type { Draft } from './saving/draft.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * The post as Verso renders it. The frame runs no script and opens nothing: its sandbox allows only that it loads the style sheet, and the
 * content security policy of the page holds in it, too.
 */
export function Preview({ draft, onClose }: { readonly draft: Draft; onClose(): void }) {
  const [isPhone, setPhone] = useState(false)
  const [post, pending] = [draft.post.value, draft.pending.value]
  useEffect(() => void draft.flush(), [draft])
  const rendered = useLoaded(`${post?.id} ${post?.version} ${pending?.version}`, (stop) =>
    post ? renderEdited(api(), post.id, pending !== undefined, stop) : Promise.resolve(''),
  )
  const title = escaped(draft.fields.value.title)
  const page = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="${escaped(previewStyleUrl())}"><article><h1>${title}</h1>${rendered.value ?? ''}</article>`
  return (
    <section class="preview" aria-label={t('editor.preview')}>
      <header class="preview-bar">
        <button
          type="button"
          class="button quiet square"
          aria-label={t('editor.desktop')}
          aria-pressed={!isPhone}
          onClick={() => setPhone(false)}
        >
          <Icon name="desktop" />
        </button>
        <button
          type="button"
          class="button quiet square"
          aria-label={t('editor.phone')}
          aria-pressed={isPhone}
          onClick={() => setPhone(true)}
        >
          <Icon name="phone" />
        </button>
        <button type="button" class="button quiet square" aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {rendered.error ? (
        <ProblemPanel error={rendered.error} retry={rendered.reload} />
      ) : (
        <iframe class={isPhone ? 'phone' : ''} title={t('editor.preview')} sandbox="allow-same-origin" srcdoc={page} />
      )}
    </section>
  )
}
