import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { t } from '../../../i18n/catalogue.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Draft } from '../saving/draft.ts'
import { formats } from './formats.ts'
import type { TextEditor } from './text-editor.ts'

interface ToolsProps {
  readonly draft: Draft
  readonly editor: Signal<TextEditor | undefined>
  onFullScreen(): void
}

/** Counting waits until one pauses. */
const countMs = 800
/** As Verso counts: words of most languages, letters of those without spaces. */
const [wordsAMinute, lettersAMinute] = [238, 500]

function counted(text: string) {
  const letters = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  const words =
    text.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' ').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ??
    0
  return { words: words + letters, minutes: Math.ceil(words / wordsAMinute + letters / lettersAMinute) }
}

/** Formats for those who know no Markdown, and how long the text is. */
export function Tools({ draft, editor, onFullScreen }: ToolsProps) {
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
        {formats.map(
          ({ name, icon, run }) =>
            icon && (
              <button
                key={name}
                type="button"
                class="button quiet square"
                aria-label={t(`editor.format_${name}`)}
                title={t(`editor.format_${name}`)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => editor.value && run(editor.value.view)}
              >
                <Icon name={icon} />
              </button>
            ),
        )}
      </div>
      <span class="desk-count">
        {t('editor.words', { count: count.value.words })}
        {count.value.minutes > 0 && ` · ${t('editor.minutes', { count: count.value.minutes })}`}
      </span>
      <button
        type="button"
        class="button quiet square wide-only"
        aria-label={t('editor.fullScreen')}
        title={t('editor.fullScreen')}
        onClick={onFullScreen}
      >
        <Icon name="full" />
      </button>
    </footer>
  )
}
