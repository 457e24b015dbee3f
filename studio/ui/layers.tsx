import { signal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { address, mayGo, project } from '../route/router.ts'
import { Button } from './controls.tsx'
import { problemText } from './loading.tsx'

const layers = signal<readonly { readonly id: number; readonly content: ComponentChildren }[]>([])
const Close = createContext<() => void>(() => undefined)

/** What closes the dialog that one is in. */
export const useClose = () => useContext(Close)

/** Shows a dialog above all that is there. It goes when it closes itself, or with the screen. */
export function show(content: ComponentChildren): void {
  layers.value = [...layers.peek(), { id: (layers.peek().at(-1)?.id ?? 0) + 1, content }]
}

/** The dialogs that are shown. */
export function Layers() {
  const at = address.value
  useLayoutEffect(() => {
    layers.value = []
  }, [at])
  const close = (id: number) => () => {
    layers.value = layers.peek().filter((each) => each.id !== id)
  }
  return layers.value.map(({ id, content }) => (
    <Close.Provider key={id} value={close(id)}>
      {content}
    </Close.Provider>
  ))
}

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** `side` stands at the edge, `bare` shows no heading (its title is read aloud). */
  readonly kind?: 'bare' | 'side' | 'wide' | 'plain'
  /** Where it was not shown by `show`; `false` where one has to answer. */
  readonly onClose?: (() => void) | false
}

/** What one came for: of radios the chosen one. */
const firstControl = '.dialog-head ~ * :is(a, button, select, textarea, input):not(:disabled, [hidden], [type=radio]:not(:checked))'

/** A native dialog that is open as long as it is rendered. Escape and a click beside it close it. */
export function Dialog({ title, children, kind = 'plain', onClose = useClose() }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  /** Whether it closes. */
  const leave = () => {
    const may = onClose && ref.current && mayGo(ref.current)
    if (may) onClose()
    return may
  }
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
      // It comes late: another may be open in its place. A second Escape closes every dialog.
      onClose={({ currentTarget }) => currentTarget.isConnected && !leave() && currentTarget.showModal()}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onMouseDown={(event) => event.target === ref.current && leave()}
    >
      <div class="dialog-body">
        {kind !== 'bare' && (
          <header class="dialog-head">
            <h2>{title}</h2>
            {onClose && <Button icon="close" label={t('common.close')} onClick={leave} />}
          </header>
        )}
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}

interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  readonly undo: (() => Promise<unknown>) | undefined
  /** Of the project in which it was done: there is no way back from another. */
  readonly within: string | undefined
}

const shown = signal<readonly Toast[]>([])
const dismiss = (toast: Toast) => {
  shown.value = shown.value.filter((each) => each !== toast)
}

/** Long enough to read and to reach the button. */
const shownMs = 8_000

/** Says what was done, with a way back where there is one. */
export function say(text: string, undo?: () => Promise<unknown>, isError = false): void {
  const toast = { id: (shown.peek().at(-1)?.id ?? 0) + 1, text, undo, isError, within: project.peek()?.id }
  shown.value = [...shown.peek().slice(-2), toast]
  setTimeout(dismiss, shownMs, toast)
}

const goBack = (toast: Toast) => {
  dismiss(toast)
  if (toast.undo) void attempt(toast.undo)
}

/** Does something and says what went wrong, if it fails. Whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    say(problemText(error), undefined, true)
    return false
  }
}

/** They stand in every dialog, too: what is beside the topmost one cannot be read or reached. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((toast) => (
        <div key={toast.id} class={toast.isError ? 'toast error' : 'toast'}>
          <span>{toast.text}</span>
          {toast.undo && toast.within === project.value?.id && (
            <button type="button" class="toast-undo" onClick={() => goBack(toast)}>
              {t('common.undo')}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
