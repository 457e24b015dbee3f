import { useSignal, useSignalEffect } from '@preact/signals'
import { t } from '../../../i18n/catalogue.ts'
import { Button } from '../../../ui/controls.tsx'
import type { Draft } from '../saving/draft.ts'
import { formats } from './formats.ts'
import { readingLengthOf } from './reading-length.ts'

/** Counting waits until one pauses. */
const countMs = 800

/** Formats for those who know no Markdown, and how long the text is. */
export function Tools({ draft, onFullScreen }: { readonly draft: Draft; onFullScreen(): void }) {
  const count = useSignal(readingLengthOf(draft.fields.peek().content))
  useSignalEffect(() => {
    const { content } = draft.fields.value
    const timer = setTimeout(() => {
      count.value = readingLengthOf(content)
    }, countMs)
    return () => clearTimeout(timer)
  })
  return (
    <footer class="desk-tools">
      <div class="desk-formats" role="toolbar" aria-label={t('editor.formats')}>
        {formats.map(({ name, icon, run }) => {
          const label = t(`editor.format_${name}`)
          const keepFocus = (event: Event) => event.preventDefault()
          const write = () => draft.editor.value && run(draft.editor.value)
          return icon && <Button key={name} icon={icon} label={label} title={label} onMouseDown={keepFocus} onClick={write} />
        })}
      </div>
      <span class="desk-count">
        {t('editor.words', { count: count.value.words })}
        {count.value.minutes > 0 && ` · ${t('editor.minutes', { count: count.value.minutes })}`}
      </span>
      <Button kind="wide-only" icon="full" label={t('editor.fullScreen')} title={t('editor.fullScreen')} onClick={onFullScreen} />
    </footer>
  )
}
