import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/verso.ts'
import { t } from '../i18n/catalogue.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { problemText } from './problem.tsx'

/** What is wrong with a field of the body that was sent. */
type FaultOf = (name: string) => string | undefined

interface FormProps {
  /** What the button says. */
  readonly submit: string
  readonly isDanger?: boolean
  /** At the other end of the line of buttons. */
  readonly aside?: ComponentChildren
  onSubmit(values: FormData): Promise<unknown>
  children?: ComponentChildren | ((faultOf: FaultOf) => ComponentChildren)
}

/** Sends what its fields hold, once at a time. What is wrong with a field stands below it, anything else above the buttons. */
export function Form({ submit, isDanger = false, aside, onSubmit, children }: FormProps) {
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly isOfFields: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const faults = failure?.error instanceof Problem ? failure.error.errors : []
  const faultOf: FaultOf = (name) => faults.find(({ pointer }) => pointer === `/${name}`)?.detail
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(undefined)
    await onSubmit(values).catch((error: unknown) => {
      const of = error instanceof Problem ? error.errors : []
      setFailure({ error, isOfFields: of.length > 0 && of.every(({ pointer }) => values.has(pointer?.slice(1) ?? '')) })
    })
    setBusy(false)
  }
  return (
    <form class="form" onSubmit={send}>
      {typeof children === 'function' ? children(faultOf) : children}
      {failure && !failure.isOfFields && (
        <p class="note error" role="alert">
          {problemText(failure.error)}
        </p>
      )}
      <footer class="form-foot">
        {aside}
        <button type="submit" class={isDanger ? 'button danger' : 'button primary'} disabled={isBusy}>
          {submit}
        </button>
      </footer>
    </form>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: ComponentChildren
  readonly value?: string | null | undefined
  readonly faultOf?: FaultOf
  /** Lines, for a text of several. */
  readonly rows?: number
  readonly type?: 'text' | 'email' | 'url' | 'password'
  readonly autocomplete?: 'off' | 'current-password' | 'new-password'
  readonly placeholder?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  onInput?(value: string): void
}

export function TextField({ label, name, hint, value, faultOf, rows, type = 'text', onInput, ...more }: TextFieldProps) {
  const text = useRef<HTMLInputElement>(null)
  // Where the form comes later than its dialog, the browser has set the focus already. Who sees the field can type in it.
  useLayoutEffect(() => {
    if (more.autofocus) text.current?.focus()
  }, [])
  return (
    <Field label={label} hint={hint} error={faultOf?.(name)}>
      {(control) => {
        const same = { autocomplete: 'off', ...more, ...control, name, defaultValue: value ?? '' } as const
        if (rows) return <textarea {...same} rows={rows} />
        return <input ref={text} {...same} type={type as 'text'} onInput={(event) => onInput?.(event.currentTarget.value)} />
      }}
    </Field>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint: string }[]
}

/** One of a few that need a word of explanation. */
export function Choices({ label, name, value, choices }: ChoicesProps) {
  return (
    <fieldset class="choices-field">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} value={choice.value} defaultChecked={choice.value === value} />
          <span>
            {choice.label}
            <span class="note">{choice.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The text of a field, trimmed. */
export function textIn(values: FormData, name: string): string {
  return String(values.get(name) ?? '').trim()
}

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** What the button says. */
  readonly submit: string
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, text, submit, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={submit} isDanger aside={<CancelButton onClose={onClose} />} onSubmit={onConfirm}>
        <p>{text}</p>
      </Form>
    </Dialog>
  )
}

export function CancelButton({ onClose }: { onClose(): void }) {
  return (
    <button type="button" class="button quiet" onClick={onClose}>
      {t('common.cancel')}
    </button>
  )
}
