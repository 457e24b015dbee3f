import { useId, useState } from 'preact/hooks'
import { t } from '../../../i18n/catalogue.ts'
import { Icon } from '../../../ui/controls.tsx'
import { Field } from '../../../ui/form.tsx'

interface TagInputProps {
  readonly value: readonly string[]
  /** Names to complete. Others are made. */
  readonly known: readonly string[]
  readonly error: string | undefined
  onChange(tags: readonly string[]): void
}

/** Tags as words: Enter or a comma adds one, Backspace takes the last away. */
export function TagInput({ value, known, error, onChange }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const list = useId()
  const add = (text: string) => {
    const names = text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    const fresh = names.filter((name) => !value.some((tag) => tag.toLocaleLowerCase() === name.toLocaleLowerCase()))
    if (fresh.length > 0) onChange([...value, ...fresh])
    setTyped('')
  }
  return (
    <Field label={t('editor.field_tags')} error={error}>
      {(control) => (
        <div class="tags">
          {value.map((tag) => (
            <span key={tag} class="tag">
              {tag}
              <button
                type="button"
                aria-label={t('editor.removeTag', { tag })}
                onClick={() => onChange(value.filter((each) => each !== tag))}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
          <input
            {...control}
            type="text"
            list={list}
            maxLength={80}
            autocomplete="off"
            placeholder={value.length === 0 ? t('editor.addTags') : ''}
            value={typed}
            onInput={(event) => {
              const text = event.currentTarget.value
              const isChosen = known.includes(text) && (event as InputEvent).inputType !== 'insertText'
              if (text.includes(',') || isChosen) add(text)
              else setTyped(text)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.isComposing) {
                event.preventDefault()
                add(typed)
              }
              if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
            }}
            onBlur={() => add(typed)}
          />
          <datalist id={list}>
            {known
              .filter((name) => !value.includes(name))
              .map((name) => (
                <option key={name} value={name} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  )
}
