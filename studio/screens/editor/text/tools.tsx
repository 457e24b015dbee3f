import { useSignal, useSignalEffect } from '@preact/signals'
import { t } from '../../../i18n/catalogue.ts'
import { Button } from '../../../ui/controls.tsx'
import type { Draft } from '../saving/draft.ts'
import { formats } from './formats.ts'

/** Counting waits until one pauses. */
const countMs = 800
/** As Verso counts: words of most languages, letters of those without spaces. */
const [wordsAMinute, lettersAMinute] = [238, 500]

const lettersOfTheirOwn = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

function counted(text: string) {
  const letters = text.match(lettersOfTheirOwn)?.length ?? 0
  const words = text.replace(lettersOfTheirOwn, ' ').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
  return { words: words + letters, minutes: Math.ceil(words / wordsAMinute + letters / lettersAMinute) }
}

/** Formats for those who know no Markdown, and how long the text is. */
export function Tools({ draft, onFullScreen }: { readonly draft: Draft; onFullScreen(): void }) {
  const count = useSignal(counted(draft.fields.peek().content))
  useSignalEffect(() => {
    const { content } = draft.fields.value
    const timer = setTimeout(() => {
      count.value = counted(content)
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
