import { type ComponentChildren, createContext, isValidElement } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/verso.ts'
import { t } from '../i18n/catalogue.ts'
import { Button } from './controls.tsx'
import { Dialog, show, useClose } from './layers.tsx'
import { problemText } from './loading.tsx'

/** What is wrong with a field of what was sent, by its name. */
export const Faults = createContext<(name: string) => string | undefined>(() => undefined)

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  /** Gets the attributes that tie the control to its label, hint and fault. */
  children(control: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean }): ComponentChildren
}

/** A control with its label, and what is to be known of it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-note`, 'aria-invalid': error !== undefined })}
      <div id={`${id}-note`} class={error ? 'note error' : 'note'}>
        {error ?? hint}
      </div>
    </div>
  )
}

type Shared = Omit<FieldProps, 'children'> & { readonly name?: string | undefined }

interface TextFieldProps extends Shared {
  readonly value?: string | null | undefined
  /** Lines, for a text of several. */
  readonly rows?: number
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'datetime-local'
  readonly autocomplete?: 'off' | 'username' | 'current-password' | 'new-password'
  readonly placeholder?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  /** What can be completed. */
  readonly options?: readonly string[]
  readonly spellcheck?: boolean
  /** Who hears of what is typed, or of what was typed, gives the value back; else the form keeps it. */
  onInput?(value: string): void
  onChange?(value: string): void
}

type Typed = { readonly currentTarget: { readonly value: string } }

export function TextField({ label, name = '', hint, error, value, rows, options, onInput, onChange, ...more }: TextFieldProps) {
  const element = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const fault = useContext(Faults)(name)
  const list = useId()
  // A page heeds `autofocus` only when it is loaded. Who sees the field can type in it.
  useLayoutEffect(() => {
    if (more.autofocus) element.current?.focus()
  }, [])
  const heard = {
    ...(onInput && { onInput: (event: Typed) => onInput(event.currentTarget.value) }),
    ...(onChange && { onChange: (event: Typed) => onChange(event.currentTarget.value) }),
  }
  const text = onInput || onChange ? { value: value ?? '' } : { defaultValue: value ?? '' }
  const given: object = { type: 'text', autocomplete: 'off', ...more, ...heard, ...text, name, ref: element, ...(options && { list }) }
  return (
    <Field label={label} hint={hint} error={error ?? fault}>
      {(control) => (
        <>
          {rows ? <textarea {...given} {...control} rows={rows} /> : <input {...given} {...control} />}
          {options && (
            <datalist id={list}>
              {options.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}

export type Option = readonly [value: string, label: string]

interface SelectProps {
  readonly value: string
  readonly options: readonly Option[]
  onChange?(value: string): void
}

/** One of several. Without a field it needs a label of its own. */
export function Select({ value, options, onChange, ...more }: SelectProps & { readonly [attribute: string]: unknown }) {
  return (
    <select {...(more as object)} onChange={(event) => onChange?.(event.currentTarget.value)}>
      {options.map(([each, label]) => (
        <option key={each} value={each} selected={each === value}>
          {label}
        </option>
      ))}
    </select>
  )
}

export function SelectField({ label, name, hint, error, ...select }: Shared & SelectProps & { readonly required?: boolean }) {
  const fault = useContext(Faults)(name ?? '')
  return (
    <Field label={label} hint={hint} error={error ?? fault}>
      {(tied) => <Select {...select} {...tied} name={name} />}
    </Field>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string, hint: string])[]
}

/** One of a few that need a word of explanation. */
export function Choices({ label, name, value, choices }: ChoicesProps) {
  return (
    <fieldset class="choices-field">
      <legend>{label}</legend>
      {choices.map(([each, title, hint]) => (
        <label key={each}>
          <input type="radio" name={name} value={each} defaultChecked={each === value} />
          <span>
            {title}
            <span class="note">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The text of a field, trimmed. */
export const textIn = (values: FormData, name: string) => String(values.get(name) ?? '').trim()

interface FormProps {
  /** What the button says. */
  readonly submit: string
  /** Of the button. */
  readonly kind?: 'primary' | 'danger' | 'primary wide'
  /** At the other end of the line of buttons. */
  readonly aside?: ComponentChildren
  readonly isDisabled?: boolean
  onSubmit(values: FormData): Promise<unknown>
  readonly children?: ComponentChildren
}

/** Sends what its fields hold, once at a time. What is wrong with a field stands below it, anything else above the buttons. */
export function Form({ submit, kind = 'primary', aside, isDisabled = false, onSubmit, children }: FormProps) {
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly isOfFields: boolean }>()
  const [isBusy, setBusy] = useState(false)
  const faults = failure?.error instanceof Problem ? failure.error.errors : []
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
      <Faults.Provider value={(name) => faults.find(({ pointer }) => pointer === `/${name}`)?.detail}>{children}</Faults.Provider>
      {failure && !failure.isOfFields && (
        <p class="note error" role="alert">
          {problemText(failure.error)}
        </p>
      )}
      <footer class="form-foot">
        {aside}
        <Button type="submit" kind={kind} label={submit} disabled={isBusy || isDisabled} />
      </footer>
    </form>
  )
}

/** A form in a dialog, which closes when it is sent, unless `onSubmit` says `false`. A dialog that it gives is shown then. */
export function FormDialog({ title, onSubmit, ...form }: FormProps & { readonly title: string }) {
  const close = useClose()
  const send = async (values: FormData) => {
    const next = await onSubmit(values)
    if (next === false) return
    close()
    if (isValidElement(next)) show(next)
  }
  return (
    <Dialog title={title}>
      <Form aside={<Button kind="quiet" label={t('common.cancel')} onClick={close} />} {...form} onSubmit={send} />
    </Dialog>
  )
}

interface Question {
  readonly title: string
  readonly text: string
  /** What the button says. */
  readonly submit: string
  onConfirm(): Promise<unknown>
}

/** Asks before something that cannot be undone. */
export function confirm({ title, text, submit, onConfirm }: Question): void {
  show(
    <FormDialog title={title} submit={submit} kind="danger" onSubmit={onConfirm}>
      <p>{text}</p>
    </FormDialog>,
  )
}

interface ShownOnceProps {
  readonly title: string
  readonly label: string
  readonly secret: string
  /** What it is for. */
  readonly note: string
}

/** A secret that is shown this one time, to be copied. */
export function ShownOnce({ title, label, secret, note }: ShownOnceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    // Pages that came without TLS have no clipboard; the text is selected for them.
    await navigator.clipboard?.writeText(secret)
    setCopied(navigator.clipboard !== undefined)
  }
  return (
    <Dialog title={title}>
      <div class="form">
        <Field label={label} hint={note}>
          {(control) => <input {...control} ref={input} class="secret" type="text" readOnly value={secret} autofocus />}
        </Field>
        <footer class="form-foot">
          <Button label={t(isCopied ? 'settings.copied' : 'settings.copy')} onClick={copy} />
          <Button kind="primary" label={t('settings.done')} onClick={useClose()} />
        </footer>
      </div>
    </Dialog>
  )
}
