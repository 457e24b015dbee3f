import { type Signal, useSignalEffect } from '@preact/signals'
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
    return () => made.destroy()
  }, [draft, editor])
  useSignalEffect(() => {
    if (draft.arrivals.value > 0) editor.peek()?.show(draft.fields.peek().content)
  })
  return <div class="desk-text" ref={host} />
}
