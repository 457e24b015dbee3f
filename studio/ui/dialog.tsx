import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** `side` stands at the edge, `bare` shows no heading (its title is read aloud). */
  readonly kind?: 'bare' | 'side' | 'wide' | 'plain'
  onClose(): void
}

/** What one came for: of radios the chosen one. */
const firstControl = '.dialog-head ~ * :is(a, button, select, textarea, input):not(:disabled, [hidden], [type=radio]:not(:checked))'

/** A native dialog that is open as long as it is rendered. Escape and a click beside it close it. */
export function Dialog({ title, children, kind = 'plain', onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  // At once, so that the next key is the dialog's.
  useLayoutEffect(() => {
    ref.current?.showModal()
    // The browser has chosen the button that closes it, which comes first.
    if (document.activeElement?.closest('.dialog-head')) ref.current?.querySelector<HTMLElement>(firstControl)?.focus()
    return () => ref.current?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={`dialog ${kind}`}
      aria-label={title}
      // It comes late: another may be open in its place.
      onClose={(event) => event.currentTarget.isConnected && onClose()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-body">
        {kind !== 'bare' && (
          <header class="dialog-head">
            <h2>{title}</h2>
            <button type="button" class="button quiet square" aria-label={t('common.close')} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
