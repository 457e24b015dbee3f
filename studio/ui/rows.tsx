import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { navigate } from '../route/router.ts'
import { useCommands } from './commands.ts'
import { Icon } from './controls.tsx'
import { type Loading, type Pages, ProblemPanel } from './loading.tsx'

export interface PageHeadProps {
  readonly title: string
  /** What makes something new here. */
  readonly create?: { readonly label: string; run(): void } | { readonly label: string; readonly href: string } | undefined
  readonly children?: ComponentChildren
}

/** The heading of a screen, with what makes something new there; `n` does so, too. */
export function PageHead({ title, create, children }: PageHeadProps) {
  const run = create && ('run' in create ? create.run : () => navigate(create.href))
  const latest = useRef(run)
  latest.current = run
  useCommands(useMemo(() => (create ? [{ title: create.label, keys: 'n', run: () => latest.current?.() }] : []), [create?.label]))
  const Made = create && 'href' in create ? 'a' : 'button'
  return (
    <header class="page-head">
      <h1 aria-live="polite">{title}</h1>
      {children}
      {create && (
        <Made class="button primary" {...('href' in create ? { href: create.href } : { type: 'button', onClick: run })}>
          <Icon name="plus" />
          {create.label}
        </Made>
      )}
    </header>
  )
}

/** Shorter than a pause between words, longer than one between letters. */
const typingMs = 180

/** Searches as one types, when one rests; `/` leads there. */
export function Search({ label, value, onSearch }: { readonly label: string; readonly value: string; onSearch(value: string): void }) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onSearch)
  latest.current = onSearch
  useCommands(useMemo(() => [{ title: label, keys: '/', run: () => input.current?.focus() }], [label]))
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  useEffect(() => {
    const timer = typed === value ? undefined : setTimeout(() => latest.current(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  const type = (event: { readonly currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value)
  return (
    <label class="search">
      <Icon name="search" />
      <input type="search" ref={input} aria-label={label} placeholder={label} maxLength={200} value={typed} onInput={type} />
    </label>
  )
}

interface RowsProps<T> {
  readonly label: string
  readonly list: Loading<readonly T[]> & Partial<Pages<T>>
  /** In place of an empty list. */
  readonly none?: string
  /** `rows stacked`: on a narrow window, what stands beside a row goes below it. */
  readonly kind?: 'rows' | 'rows stacked' | 'media-grid'
  children(item: T): ComponentChildren
}

/** A list of things, or what went wrong with it. */
export function Rows<T>({ label, list, none, kind = 'rows', children }: RowsProps<T>) {
  const { value, error, reload, isLoading, more } = list
  return (
    <>
      {error !== undefined && <ProblemPanel error={error} retry={reload} />}
      <ul class={kind} aria-label={label} aria-busy={isLoading}>
        {value?.map(children)}
      </ul>
      {value?.length === 0 && none && <p class="empty">{none}</p>}
      <ListEnd more={more} />
    </>
  )
}

/** When the end of a list comes near, there is more. */
export function ListEnd({ more }: Pick<Pages<unknown>, 'more'>) {
  const end = useRef<HTMLDivElement>(null)
  // Anew with every page: it may be less than a window.
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more?.(), { rootMargin: '1200px' })
    if (end.current && more) observer.observe(end.current)
    return () => observer.disconnect()
  }, [more])
  return <div class="list-end" ref={end} />
}

interface RowProps {
  readonly name: string
  /** What is to be said of it; what is not there is left out. */
  readonly about?: readonly (string | number | false | null | undefined)[]
  /** Where it leads, or what opens it. */
  readonly href?: string
  readonly onOpen?: (() => void) | false
  /** Beside it. */
  readonly children?: ComponentChildren
}

/** A thing with its name, which opens it and reaches over the whole row. */
export function Row({ name, about = [], href, onOpen, children }: RowProps) {
  const text = about.filter(Boolean).join(' · ')
  const Name = href ? 'a' : onOpen ? 'button' : 'span'
  const opening = href ? { href } : onOpen && { type: 'button', onClick: onOpen }
  return (
    <li class="row">
      <div class="row-what">
        <Name class={opening ? 'row-name row-open' : 'row-name'} {...(opening as object)}>
          {name}
        </Name>
        {text && (
          <span class="row-about" title={text}>
            {text}
          </span>
        )}
      </div>
      {children && <div class="row-side">{children}</div>}
    </li>
  )
}
