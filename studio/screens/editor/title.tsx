import { useRef } from 'preact/hooks'
import { t } from '../../i18n/catalogue.ts'
import { focusFirst } from '../../ui/field.tsx'
import type { Draft } from './saving/draft.ts'

/** The title grows with its text. A line break in it goes on to the text. */
export function Title({ draft, onEnter }: { readonly draft: Draft; onEnter(): void }) {
  const { title } = draft.fields.value
  const isNew = useRef(draft.post.peek() === undefined)
  return (
    <div class="desk-title">
      <h1 class="hidden">{title || t('editor.untitled')}</h1>
      <textarea
        rows={1}
        aria-label={t('editor.title')}
        placeholder={t('editor.title')}
        maxLength={300}
        ref={isNew.current ? focusFirst : null}
        value={title}
        onInput={(event) => draft.change({ title: event.currentTarget.value.replace(/\s*\n\s*/g, ' ') })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.metaKey || event.ctrlKey) return
          event.preventDefault()
          onEnter()
        }}
      />
      {draft.faults.value.title && <p class="note error">{draft.faults.value.title}</p>}
    </div>
  )
}
