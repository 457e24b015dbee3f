import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { unsent } from '../route/router.ts'
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

/** A secret that is shown this one time; `note` says what it is for. Unless it was copied one is asked before it goes, but by “Done”. */
export function ShownOnce({ title, label, secret, note }: Readonly<Record<'title' | 'label' | 'secret' | 'note', string>>) {
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  useLayoutEffect(() => {
    const shown = input.current
    if (shown && !isCopied) unsent.set(shown, 'common.shownOnce')
    return () => shown && unsent.delete(shown)
  }, [isCopied])
  const copy = async () => {
    // Where it cannot be copied, one does so by hand.
    input.current?.select()
    setCopied(await copyText(secret))
  }
  return (
    <Dialog title={title}>
      <div class="form">
        <Field label={label} hint={note}>
          {(control) => (
            <input {...control} ref={input} class="secret" type="text" readOnly value={secret} autofocus onCopy={() => setCopied(true)} />
          )}
        </Field>
        <footer class="form-foot">
          <Button label={t(isCopied ? 'settings.copied' : 'settings.copy')} onClick={copy} />
          <Button kind="primary" label={t('settings.done')} onClick={useClose()} />
        </footer>
      </div>
    </Dialog>
  )
}
