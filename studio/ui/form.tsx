import { type ComponentChildren, createContext, type InputHTMLAttributes, isValidElement } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { session } from '../api/session.ts'
import { Problem } from '../api/verso.ts'
import { t } from '../i18n/catalogue.ts'
import { unsent } from '../route/router.ts'
import { Button } from './controls.tsx'
import { Dialog, say, show, useClose } from './layers.tsx'
import { problemText } from './loading.tsx'

/** What is wrong with a field of what was sent, by its name. */
const Faults = createContext<(name: string) => string | undefined>(() => undefined)

interface FieldProps {
  readonly label: string
  /** In what is sent. What is wrong with it is then shown here. */
  readonly name?: string | undefined
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  /** Gets the attributes that tie the control to its label, hint and fault. */
  children(control: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean }): ComponentChildren
}

/** A control with its label, and what is to be known of it. */
export function Field({ label, name = '', hint, error, children }: FieldProps) {
  const id = useId()
  const fault = useContext(Faults)(name)
  const wrong = error ?? fault
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-note`, 'aria-invalid': wrong !== undefined })}
      <div id={`${id}-note`} class={wrong ? 'note error' : 'note'}>
        {wrong ?? hint}
      </div>
    </div>
  )
}

type Attributes = 'type' | 'autocomplete' | 'placeholder' | 'required' | 'autofocus' | 'minLength' | 'maxLength' | 'spellcheck'

export interface TextFieldProps extends Omit<FieldProps, 'children'>, Pick<InputHTMLAttributes, Attributes> {
  readonly value?: string | null | undefined
  /** Lines, for a text of several. */
  readonly rows?: number
  /** What can be completed. */
  readonly options?: readonly string[]
  /** Who hears of what is typed, or of what was typed, gives the value back; else the form keeps it. */
  onInput?(value: string): void
  onChange?(value: string): void
}

type Typed = { readonly currentTarget: { readonly value: string } }

export function TextField({ label, name, hint, error, value, rows, options, onInput, onChange, ...more }: TextFieldProps) {
  const element = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const list = useId()
  // Until it is heard of: another value may come meanwhile.
  const [typed, setTyped] = useState<string>()
  // A page heeds `autofocus` only when it is loaded. Who sees the field can type in it.
  useLayoutEffect(() => {
    if (more.autofocus) element.current?.focus()
  }, [])
  const text = onInput || onChange ? { value: typed ?? value ?? '' } : { defaultValue: value ?? '' }
  const heard = {
    onInput: ({ currentTarget }: Typed) => {
      if (onChange) setTyped(currentTarget.value)
      onInput?.(currentTarget.value)
    },
    onChange: ({ currentTarget }: Typed) => {
      setTyped(undefined)
      onChange?.(currentTarget.value)
    },
    // Browsers tell of no change where all is as it was.
    onBlur: ({ currentTarget }: Typed) => currentTarget.value === (value ?? '') && setTyped(undefined),
  }
  const usual = { type: 'text', autocomplete: 'off', dir: 'auto' }
  const given: object = { ...usual, ...more, ...text, ...heard, name, ref: element, ...(options && { list }) }
  return (
    <Field label={label} name={name} hint={hint} error={error}>
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
  // It may be one of many that are not listed, or they are not there yet. An id says nothing to people.
  const isListed = options.some(([each]) => each === value)
  const all = isListed ? options : [...options, [value, value.includes('_') ? '…' : value] as const]
  return (
    <select {...(more as object)} onChange={(event) => onChange?.(event.currentTarget.value)}>
      {all.map(([each, label]) => (
        <option key={each} value={each} selected={each === value}>
          {label}
        </option>
      ))}
    </select>
  )
}

type SelectFieldProps = Omit<FieldProps, 'children'> & SelectProps & { readonly required?: boolean }

export function SelectField({ label, name, hint, error, ...select }: SelectFieldProps) {
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(tied) => <Select {...select} {...tied} name={name} />}
    </Field>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly name: string
  /** What is chosen: of radios one. */
  readonly value: readonly string[]
  readonly choices: readonly (readonly [value: string, label: ComponentChildren, hint?: string])[]
  readonly type?: 'radio' | 'checkbox'
  onChange?(value: string): void
}

/** One or some of a few, with a word of explanation where they need it. */
export function Choices({ label, name, value, choices, type = 'radio', onChange }: ChoicesProps) {
  const fault = useContext(Faults)(name)
  return (
    <fieldset class="choices-field">
      <legend>{label}</legend>
      {choices.map(([each, title, hint]) => (
        <label key={each}>
          <input type={type} name={name} value={each} defaultChecked={value.includes(each)} onChange={() => onChange?.(each)} />
          <span>
            {title}
            {hint && <span class="note">{hint}</span>}
          </span>
        </label>
      ))}
      {fault && <p class="note error">{fault}</p>}
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

/** A choice is made again with a click, the password until now is known, and who signs in loses nothing. */
function noteTyping({ target, currentTarget }: InputEvent & { readonly currentTarget: HTMLFormElement }): void {
  const isText = target instanceof Element && !target.matches('[type=radio], [type=datetime-local], [autocomplete=current-password]')
  if (isText && session.peek()) unsent.set(currentTarget, 'common.unsent')
}

/**
 * Sends what its fields hold, once at a time. What is wrong with a field stands below it, anything else above the buttons. Who leaves it unsent is
 * asked first, and hears later if sending fails.
 */
export function Form({ submit, kind = 'primary', aside, isDisabled = false, onSubmit, children }: FormProps) {
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly sent: FormData }>()
  const [isBusy, setBusy] = useState(false)
  const faults = failure?.error instanceof Problem ? failure.error.errors : []
  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const form = element.current
    return () => form && unsent.delete(form)
  }, [])
  const isOfFields = faults.length > 0 && faults.every(({ pointer }) => failure?.sent.has(pointer?.slice(1) ?? ''))
  const send = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const sent = new FormData(form)
    const isTyped = unsent.delete(form)
    setBusy(true)
    setFailure(undefined)
    await onSubmit(sent).catch((error: unknown) => {
      if (!form.isConnected) return say(problemText(error), undefined, true)
      if (isTyped) unsent.set(form, 'common.unsent')
      setFailure({ error, sent })
    })
    setBusy(false)
  }
  return (
    <form ref={element} class="form" onInput={noteTyping} onSubmit={send}>
      <Faults.Provider value={(name) => faults.find(({ pointer }) => pointer === `/${name}`)?.detail}>{children}</Faults.Provider>
      {failure && !isOfFields && (
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

/** What a form says of something, by its names: nothing where nothing was written. */
export const textsIn = (values: FormData, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, textIn(values, name) || null]))

interface Question {
  readonly deed: 'delete' | 'erase' | 'remove' | 'revoke'
  /** To whom or what. */
  readonly name: string
  /** What will come of it. */
  readonly text: string
  onConfirm(): Promise<unknown>
}

/** Asks before something that cannot be undone, does it and says so. */
export function confirm({ deed, name, text, onConfirm }: Question): void {
  const act = () => onConfirm().then(() => say(t(`deeds.${deed}Done`, { name })))
  show(
    <FormDialog title={t(`deeds.${deed}One`, { name })} submit={t(`deeds.${deed}`)} kind="danger" onSubmit={act}>
      <p>{text}</p>
    </FormDialog>,
  )
}

/** Asks so. What it is for is read aloud. */
export function ConfirmButton(question: Question) {
  const { deed, name } = question
  const label = t(`deeds.${deed}One`, { name })
  return <Button kind="quiet danger" label={t(`deeds.${deed}`)} aria-label={label} onClick={() => confirm(question)} />
}
