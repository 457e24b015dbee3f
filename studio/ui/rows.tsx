import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useCommands } from './commands.ts'
import { Icon } from './icon.tsx'
import { ProblemPanel } from './problem.tsx'

interface PageHeadProps {
  readonly title: string
  /** What makes something new here. Only what it is called may change. */
  readonly create?: { readonly label: string; run(): void } | undefined
  readonly children?: ComponentChildren
}

/** The heading of a screen, with what makes something new there; `n` does so, too. */
export function PageHead({ title, create, children }: PageHeadProps) {
  useCommands(useMemo(() => (create ? [{ title: create.label, keys: 'n', run: create.run }] : []), [create?.label]))
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {children}
      {create && (
        <button type="button" class="button primary" onClick={create.run}>
          <Icon name="plus" />
          {create.label}
        </button>
      )}
    </header>
  )
}

interface RowsProps {
  readonly label: string
  readonly list: { readonly value: readonly unknown[] | undefined; readonly error: unknown; reload(): void }
  /** In place of an empty list. */
  readonly none?: string
  /** On a narrow window, what stands beside a row goes below it. */
  readonly isStacked?: boolean
  readonly children: ComponentChildren
}

/** A list of things, or what went wrong with it. */
export function Rows({ label, list: { value, error, reload }, none, isStacked, children }: RowsProps) {
  return (
    <>
      {error !== undefined && <ProblemPanel error={error} retry={reload} />}
      <ul class={isStacked ? 'rows stacked' : 'rows'} aria-label={label}>
        {children}
      </ul>
      {value?.length === 0 && none && <p class="empty">{none}</p>}
    </>
  )
}

interface RowProps {
  readonly name: string
  /** What is to be said of it; what is not there is left out. */
  readonly about?: readonly (string | number | false | null | undefined)[]
  /** Where it leads, or what opens it. */
  readonly href?: string
  readonly onOpen?: (() => void) | undefined
  /** Beside it. */
  readonly children?: ComponentChildren
}

/** A thing with its name, which opens it and reaches over the whole row. */
export function Row({ name, about = [], href, onOpen, children }: RowProps) {
  const text = about.filter(Boolean).join(' · ')
  return (
    <li>
      <div class="row-what">
        {href && (
          <a class="row-name row-open" href={href}>
            {name}
          </a>
        )}
        {onOpen && (
          <button type="button" class="row-name row-open" onClick={onOpen}>
            {name}
          </button>
        )}
        {!href && !onOpen && <span class="row-name">{name}</span>}
        {text && (
          <span class="row-about" title={text}>
            {text}
          </span>
        )}
      </div>
      {children}
    </li>
  )
}
