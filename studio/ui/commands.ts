import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Something that can be done here: it is in the palette, and has keys if it is done often. */
export interface Command {
  readonly title: string
  /** Such as `mod+k`, `?` or `n`; `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys?: string
  run(): void
}

const groups = signal<readonly { readonly offered: readonly Command[]; readonly isGeneral: boolean }[]>([])

/** Everything that can be done now; what the open screen offers comes first. */
export function commands(): readonly Command[] {
  return groups.value.toSorted((a, b) => Number(a.isGeneral) - Number(b.isGeneral)).flatMap(({ offered }) => offered)
}

/** Offers commands while the component is there: its keys work as soon as one sees it. Those of every screen are general. */
export function useCommands(offered: readonly Command[], isGeneral = false): void {
  useLayoutEffect(() => {
    const group = { offered, isGeneral }
    groups.value = [...groups.value, group]
    return () => {
      groups.value = groups.value.filter((each) => each !== group)
    }
  }, [offered])
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Keys as people read them: `⌘ K`. */
export function keyNames(keys: string): string {
  const arrows = { arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓' }
  const names: Readonly<Record<string, string>> = { mod: isMac ? '⌘' : 'Ctrl', enter: '↵', shift: '⇧', escape: 'Esc', ...arrows }
  return keys
    .split('+')
    .map((key) => names[key] ?? key.toUpperCase())
    .join(' ')
}

/** Runs commands by their keys. Keys alone belong to the text where one is written. Below a dialog nothing happens, and the browser does nothing, either. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    const [target] = event.composedPath()
    const isWriting = target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    const pressed = nameOf(event)
    const isBelow = document.querySelector('dialog[open]') !== null
    if (event.defaultPrevented || event.isComposing || ((isWriting || isBelow) && !pressed.startsWith('mod+'))) return
    const command = commands().find(({ keys }) => keys === pressed)
    if (!command) return
    event.preventDefault()
    if (!isBelow || pressed === 'mod+k') command.run()
  })
}

function nameOf({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): string {
  const mod = isMac ? metaKey : ctrlKey
  const isLetter = /^[a-z]$/i.test(key)
  return [mod && 'mod', altKey && 'alt', shiftKey && (isLetter || key.length > 1) && 'shift', key.toLowerCase()].filter(Boolean).join('+')
}
