import { effect, type Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Draft } from '../saving/draft.ts'
import { TextEditor } from './text-editor.ts'

interface TextProps {
  readonly draft: Draft
  /** Where others find the editor. */
  readonly editor: Signal<TextEditor | undefined>
}

export function Text({ draft, editor }: TextProps) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!host.current) return
    const parent = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open', delegatesFocus: true })
    const made = new TextEditor({ parent, text: draft.fields.peek().content, onChange: () => draft.type(() => made.text) })
    editor.value = made
    if (draft.post.peek()) made.view.focus()
    // At once: what one types between an arrival and its showing would be gone.
    const stop = effect(() => {
      if (draft.arrivals.value > 0) made.show(draft.fields.peek().content)
    })
    return () => {
      stop()
      made.destroy()
    }
  }, [draft, editor])
  return <div class="desk-text" ref={host} />
}
