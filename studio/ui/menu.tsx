import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface MenuProps {
  /** What the button shows. */
  readonly button: ComponentChildren
  /** What the button is called, where it shows no words. */
  readonly label?: string
  readonly buttonClass?: string
  readonly children: ComponentChildren
}

/** A button that opens a popover below it. A click on anything in it closes it. */
export function Menu({ button, label, buttonClass = 'button quiet', children }: MenuProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const place = () => {
    const [at, panel] = [opener.current?.getBoundingClientRect(), list.current]
    if (!at || !panel?.matches(':popover-open')) return
    const { width, height } = panel.getBoundingClientRect()
    const below = at.bottom + 6 + height < innerHeight ? at.bottom + 6 : Math.max(8, at.top - 6 - height)
    panel.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`
    panel.style.top = `${below}px`
    panel.querySelector<HTMLElement>('button, a')?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || items.length === 0) return
    event.preventDefault()
    const at = items.indexOf(document.activeElement as HTMLElement)
    items[(at + step + items.length) % items.length]?.focus()
  }
  return (
    <>
      <button ref={opener} type="button" class={buttonClass} aria-label={label} popovertarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the items in it are buttons and links; it moves the focus among them */}
      <div ref={list} id={id} popover="auto" class="menu" onToggle={place} onKeyDown={move} onClick={() => list.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}
