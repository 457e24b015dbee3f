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
  check: 'M3 8.5 6.5 12 13 4.5',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3',
  media: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 3 3 1.5-1.5 3 3M10.5 6h.01',
  people: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.6-2.4 2.5-3.5 5-3.5s4.400 1.100 5 3.500',
  folder: 'M2 4h4l1.500 2H14v7H2z',
  tag: 'M2.500 8.500V2.500h6l5 5-6 6zM5.500 5.500h.01',
  trash: 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9',
  settings: 'M2.500 4.500h7M12.500 4.500h1M2.500 11.500h1M6.500 11.500h7M11 3v3M5 10v3',
  side: 'M2.500 3h11v10h-11zM10 3v10',
  eye: 'M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  full: 'M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3',
  phone: 'M5 2h6v12H5zM7.500 12h1',
  desktop: 'M2 3h12v8H2zM6 14h4M8 11v3',
  bold: 'M4.500 3h4a2.500 2.500 0 0 1 0 5h-4zM4.500 8h4.700a2.500 2.500 0 0 1 0 5H4.500z',
  italic: 'M7 3h5M4 13h5M9.500 3l-3 10',
  heading: 'M4 3v10M12 3v10M4 8h8',
  quote: 'M3 4v8M6.500 5h7M6.500 8h7M6.500 11h4',
  list: 'M6 4h7.500M6 8h7.500M6 12h7.500M2.800 4h.01M2.800 8h.01M2.800 12h.01',
  link: 'M6.700 9.300a2.600 2.600 0 0 0 3.800 0l2.200-2.200a2.600 2.600 0 0 0-3.800-3.800l-.7.700M9.300 6.700a2.600 2.600 0 0 0-3.800 0L3.300 8.900a2.600 2.600 0 0 0 3.800 3.800l.7-.7',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
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

/** A button that opens a popover below it. A click on anything in it closes it. */
export function Menu({ button, label, buttonClass = 'button quiet square', items }: MenuProps) {
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
    const controls = [...(list.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = controls.indexOf(document.activeElement as HTMLElement)
    controls[(at + step + controls.length) % controls.length]?.focus()
  }
  return (
    <>
      <button ref={opener} type="button" class={buttonClass} aria-label={label} popovertarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the items in it are buttons and links; it moves the focus among them */}
      <div ref={list} id={id} popover="auto" class="menu" onToggle={place} onKeyDown={move} onClick={() => list.current?.hidePopover()}>
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

interface StatusProps {
  /** What its shape is. */
  readonly mark: Post['status']
  readonly text: string
}

/** A mark that differs by shape, and words. */
export function Status({ mark, text }: StatusProps) {
  return (
    <span class="status">
      <span class={`mark ${mark}`} aria-hidden="true" />
      {text}
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
