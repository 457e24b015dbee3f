import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

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

/** The `ref` of what has the focus when it appears. A page heeds `autofocus` only when it is loaded. */
export function focusFirst(element: HTMLElement | null): void {
  element?.focus()
}
