import { useRef, useState } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { Button } from './controls.tsx'
import { Field } from './form.tsx'
import { Dialog, useClose } from './layers.tsx'

/** Whether a text is in the clipboard now. Pages that came without TLS have none, and browsers may refuse theirs. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** A secret that is shown this one time, to be copied; `note` says what it is for. */
export function ShownOnce({ title, label, secret, note }: Readonly<Record<'title' | 'label' | 'secret' | 'note', string>>) {
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // Where it cannot be copied, one does so by hand.
    input.current?.select()
    setCopied(await copyText(secret))
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
