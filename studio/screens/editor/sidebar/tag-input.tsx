import { useId, useState } from 'preact/hooks'
import { t } from '../../../i18n/catalogue.ts'
import { Icon } from '../../../ui/controls.tsx'
import { Field } from '../../../ui/form.tsx'
import type { Draft } from '../saving/draft.ts'

const isSame = (tag: string, other: string) => tag.toLocaleLowerCase() === other.toLocaleLowerCase()

/** Tags as words: Enter or a comma adds one, Backspace takes the last away. Names that are known are completed, others are made. */
export function TagInput({ draft, known }: { readonly draft: Draft; readonly known: readonly string[] }) {
  const [typed, setTyped] = useState('')
  const list = useId()
  const { tags } = draft.fields.value
  const offered = known.filter((name) => !tags.includes(name))
  const change = (to: readonly string[]) => draft.change({ tags: to })
  const add = (text: string) => {
    const names = text.split(',').map((name) => name.trim())
    const fresh = names.filter((name) => name !== '' && !tags.some((tag) => isSame(tag, name)))
    if (fresh.length > 0) change([...tags, ...fresh])
    setTyped('')
  }
  const type = (event: InputEvent & { readonly currentTarget: HTMLInputElement }) => {
    const text = event.currentTarget.value
    const isChosen = known.includes(text) && event.inputType !== 'insertText'
    if (text.includes(',') || isChosen) add(text)
    else setTyped(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '') change(tags.slice(0, -1))
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    add(typed)
  }
  const empty = { type: 'text', maxLength: 80, autocomplete: 'off', placeholder: tags.length === 0 ? t('editor.addTags') : '' } as const
  return (
    <Field label={t('editor.field_tags')} error={draft.faults.value.tags}>
      {(control) => (
        <div class="tags">
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
              <button type="button" aria-label={t('editor.removeTag', { tag })} onClick={() => change(tags.filter((each) => each !== tag))}>
                <Icon name="close" />
              </button>
            </span>
          ))}
          <input {...control} {...empty} list={list} value={typed} onInput={type} onKeyDown={press} onBlur={() => add(typed)} />
          <datalist id={list}>
            {offered.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      )}
    </Field>
  )
}
