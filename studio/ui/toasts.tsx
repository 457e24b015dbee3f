import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { problemText } from './problem.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  readonly undo: (() => Promise<void>) | undefined
}

const shown = signal<readonly Toast[]>([])
const dismiss = (id: number) => {
  shown.value = shown.value.filter((each) => each.id !== id)
}

/** Says what was done, with a way back where there is one. */
export function say(text: string, undo?: () => Promise<void>): void {
  show({ text, undo, isError: false })
}

/** Says what went wrong. */
export function sayProblem(error: unknown): void {
  show({ text: problemText(error), undo: undefined, isError: true })
}

/** Does something and says what went wrong, if it fails. Whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    sayProblem(error)
    return false
  }
}

function show(toast: Omit<Toast, 'id'>): void {
  const id = (shown.peek().at(-1)?.id ?? 0) + 1
  shown.value = [...shown.peek().slice(-2), { ...toast, id }]
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** Long enough to read and to reach the button. */
const shownMs = 8_000

function ToastLine({ toast: { id, text, undo, isError } }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class={isError ? 'toast error' : 'toast'}>
      <span>{text}</span>
      {undo && (
        <button
          type="button"
          class="toast-undo"
          onClick={() => {
            dismiss(id)
            void attempt(undo)
          }}
        >
          {t('common.undo')}
        </button>
      )}
    </div>
  )
}
