import { signal } from '@preact/signals'
import { studioUrl } from '../api/address.ts'

/** An address within the studio: the parts of its path, and its query. */
export interface Address {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

function here(): Address {
  const path = location.pathname.slice(studioUrl.pathname.length)
  return { parts: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(location.search) }
}

/** Where the studio is. */
export const address = signal<Address>(here())

/** The path of an address, for links. */
export function pathTo(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = new URLSearchParams(given).toString()
  return studioUrl.pathname + parts.map(encodeURIComponent).join('/') + (search && `?${search}`)
}

/** Goes to another address. `replace` leaves no step to come back to. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  address.value = here()
  if (!replace) scrollTo(0, 0)
}

/** Follows back, forward and every link into the studio without loading the page anew. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = here()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const to = new URL(link.href)
    if (to.origin !== location.origin || !`${to.pathname}/`.startsWith(studioUrl.pathname)) return
    event.preventDefault()
    navigate(to.pathname + to.search)
  })
}

/** Gives what is open another address, without opening it anew. */
export function rename(path: string): void {
  history.replaceState(null, '', path)
}
