import { useRef, useState } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

interface ShownOnceProps {
  readonly title: string
  readonly label: string
  readonly secret: string
  /** What it is for. */
  readonly note: string
  onClose(): void
}

/** A secret that is shown this one time, to be copied. */
export function ShownOnce({ title, label, secret, note, onClose }: ShownOnceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    // Pages that came without TLS have no clipboard; the text is selected for them.
    await navigator.clipboard?.writeText(secret)
    setCopied(navigator.clipboard !== undefined)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="form">
        <Field label={label} hint={note}>
          {(control) => <input {...control} ref={input} class="secret" type="text" readOnly value={secret} autofocus />}
        </Field>
        <footer class="form-foot">
          <button type="button" class="button" onClick={copy}>
            {t(isCopied ? 'settings.copied' : 'settings.copy')}
          </button>
          <button type="button" class="button primary" onClick={onClose}>
            {t('settings.done')}
          </button>
        </footer>
      </div>
    </Dialog>
  )
}
