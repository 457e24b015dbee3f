import type { ComponentChildren, ComponentProps } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Post } from '../api/verso.ts'
import { formatDate, formatSince, t } from '../i18n/catalogue.ts'

/** Strokes on a grid of 16. */
const paths = {
  posts: 'M3 3.5h10M3 6.5h10M3 9.5h10M3 12.5h6',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  down: 'M4 6l4 4 4-4',
  more: 'M3 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M7.6 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M12.2 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0',
  close: 'M4 4l8 8M12 4l-8 8',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3',
  media: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 3 3 1.5-1.5 3 3M10.5 6h.01',
  people: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.6-2.4 2.5-3.5 5-3.5s4.4 1.1 5 3.5',
  folder: 'M2 4h4l1.5 2H14v7H2z',
  tag: 'M2.5 8.5V2.5h6l5 5-6 6zM5.5 5.5h.01',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  settings: 'M2.5 4.5h7M12.5 4.5h1M2.5 11.5h1M6.5 11.5h7M11 3v3M5 10v3',
  side: 'M2.5 3h11v10h-11zM10 3v10',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  full: 'M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3',
  phone: 'M5 2h6v12H5zM7.5 12h1',
  desktop: 'M2 3h12v8H2zM6 14h4M8 11v3',
  bold: 'M4.5 3h4a2.5 2.5 0 0 1 0 5h-4zM4.5 8h4.7a2.5 2.5 0 0 1 0 5H4.5z',
  italic: 'M7 3h5M4 13h5M9.5 3l-3 10',
  heading: 'M4 3v10M12 3v10M4 8h8',
  quote: 'M3 4v8M6.5 5h7M6.5 8h7M6.5 11h4',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4h.01M2.8 8h.01M2.8 12h.01',
  link: 'M6.7 9.3a2.6 2.6 0 0 0 3.8 0l2.2-2.2a2.6 2.6 0 0 0-3.8-3.8l-.7.7M9.3 6.7a2.6 2.6 0 0 0-3.8 0L3.3 8.9a2.6 2.6 0 0 0 3.8 3.8l.7-.7',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
} as const

export type IconName = keyof typeof paths

/** A picture beside words, or within a button that has a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'label' | 'icon' | 'class'> {
  readonly label: string
  /** Shown in place of the label, which is then read aloud. */
  readonly icon?: IconName
  readonly kind?: string
}

export function Button({ label, icon, kind = '', ...more }: ButtonProps) {
  return (
    <button type="button" class={icon ? `button quiet square ${kind}` : `button ${kind}`} aria-label={icon && label} {...more}>
      {icon ? <Icon name={icon} /> : label}
    </button>
  )
}

interface MenuProps {
  /** What the button shows. */
  readonly button: ComponentChildren
  /** What the button is called, where it shows no words. */
  readonly label?: string
  readonly buttonClass?: string
  readonly items: readonly { readonly label: string; readonly href?: string; readonly isDanger?: boolean; run?(): unknown }[]
}

/** A button that opens a popover, whose place is in the style sheet. A click on anything in it closes it. */
export function Menu({ button, label, buttonClass = 'button quiet square', items }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const controlsIn = () => [...(list.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
  const move = (event: KeyboardEvent) => {
    const controls = controlsIn()
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = controls.indexOf(document.activeElement as HTMLElement)
    controls[(at + step + controls.length) % controls.length]?.focus()
  }
  return (
    <>
      <button type="button" class={buttonClass} aria-label={label} popovertarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the items in it are buttons and links; it moves the focus among them */}
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        onToggle={({ newState }) => newState === 'open' && controlsIn()[0]?.focus()}
        onKeyDown={move}
        // Before what was chosen is done: a dialog that it opens then leads back to the button.
        onClickCapture={() => list.current?.hidePopover()}
      >
        {items.map((item) =>
          item.href ? (
            <a key={item.href} href={item.href}>
              {item.label}
            </a>
          ) : (
            <button key={item.label} type="button" class={item.isDanger ? 'danger' : ''} onClick={item.run}>
              {item.label}
            </button>
          ),
        )}
      </div>
    </>
  )
}

/** A mark that differs by shape, and words. */
export function Status({ mark, text }: { readonly mark: Post['status']; readonly text: string }) {
  return (
    <span class="status">
      <span class={`mark ${mark}`} aria-hidden="true" />
      <span class="status-text">{text}</span>
    </span>
  )
}

export function PostStatus({ post: { status, scheduledFor } }: { readonly post: Pick<Post, 'status' | 'scheduledFor'> }) {
  const isDated = status === 'scheduled' && scheduledFor
  return (
    <Status mark={status} text={isDated ? t('status.scheduledFor', { date: formatDate(scheduledFor, 'time') }) : t(`status.${status}`)} />
  )
}

/** When something was, and exactly when where one points at it. */
export function Since({ at, text = formatSince(at) }: { readonly at: string; readonly text?: string }) {
  return (
    <time dateTime={at} title={formatDate(at, 'time')}>
      {text}
    </time>
  )
}
