import { computed, signal } from '@preact/signals'
import { studioUrl } from '../api/address.ts'
import { type Membership, session } from '../api/session.ts'
import { type Post, ProjectApi, type Verso } from '../api/verso.ts'
import { type MessageKey, t } from '../i18n/catalogue.ts'

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
export const pathTo = (parts: readonly string[]) => studioUrl.pathname + parts.map(encodeURIComponent).join('/')

/** The query of an address, with what is given of it. */
export function queryText(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value)
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}

/** What would be lost with an element, such as what was typed in a form and not sent: each with the question before it goes. */
export const unsent = new Map<Node, MessageKey>()

/** Whether what is within may go. Where something typed would be lost, one is asked: by the browser, since going back waits for no dialog of ours. */
export function mayGo(within: Node = document): boolean {
  const lost = [...unsent].filter(([element]) => within.contains(element))
  const may = lost[0] === undefined || confirm(t(lost[0][1]))
  if (may) for (const [element] of lost) unsent.delete(element)
  return may
}

/** What has to be done before one goes, such as saving. It is done once. */
export const leaving = signal<(() => Promise<unknown>) | undefined>(undefined)

/** What a step of the browser's history keeps of its screen. */
export interface Place {
  /** The path that one came from. */
  readonly from?: string | undefined
  /** Which list was shown, how many of its pages, and how far it was scrolled when one left it. */
  readonly list?: string
  readonly pages?: number
  readonly top?: number
}

export const place = (): Place => history.state ?? {}
export const notePlace = (noted: Place) => history.replaceState({ ...place(), ...noted }, '')

/** Goes to another address. `replace` leaves no step to come back to. */
export function navigate(path: string, { replace = false } = {}): void {
  leave(() => {
    if (replace) history.replaceState({ from: place().from }, '', path)
    else {
      notePlace({ top: scrollY })
      history.pushState({ from: location.pathname }, '', path)
    }
    address.value = here()
    if (!replace) scrollTo(0, 0)
  })
}

/** Goes to a screen: back to where one was in it, if one has come from there. */
export function returnTo(path: string): void {
  if (place().from === path) leave(() => history.back())
  else navigate(path)
}

function leave(go: () => void): void {
  if (!mayGo()) return
  const [work, from] = [leaving.peek(), address.peek()]
  leaving.value = undefined
  // If the person has not waited for it, they are elsewhere by then.
  if (work) void work().finally(() => address.peek() === from && leave(go))
  else go()
}

/** Follows back, forward and every link into the studio without loading the page anew. A link with `data-return` leads back. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    const { parts, query } = address.peek()
    if (mayGo()) address.value = here()
    else history.pushState(null, '', pathTo(parts) + queryText(Object.fromEntries(query)))
  })
  addEventListener('beforeunload', (event) => unsent.size > 0 && event.preventDefault())
  // Of a file that nothing takes, the browser would make another page in place of this one.
  addEventListener('dragover', (event) => {
    const isText = event.composedPath().some((each) => each instanceof HTMLElement && each.isContentEditable)
    if (isText || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const to = new URL(link.href)
    if (to.origin !== location.origin || !`${to.pathname}/`.startsWith(studioUrl.pathname)) return
    event.preventDefault()
    // A place in the screen.
    if (to.hash) document.getElementById(to.hash.slice(1))?.focus()
    else if ('return' in link.dataset) returnTo(to.pathname)
    else navigate(to.pathname + to.search)
  })
}

/** The project that the address names; none where it names none, or one that the person does not belong to. */
export const project = computed<Membership | undefined>(() => {
  const [first, slug] = address.value.parts
  return first === 'in' ? session.value?.projects.find((each) => each.slug === slug) : undefined
})

/** The API of the project, with its token and the answers that it has seen: they go with the project, and when one signs out. */
const projectId = computed(() => project.value?.id)
export const api = computed(() => (projectId.value === undefined ? undefined : new ProjectApi(projectId.value)))

/** What the person may do in the project. Nothing until it is known. */
export const access = computed(() => api.value?.access.value)

/** Whether the person has a scope here. What they cannot do is not offered; the API decides. */
export const can = (scope: string) => access.value?.scopes.includes(scope) ?? false

/** Whether the person may change a post of this status itself, delete or restore it: not what readers see or will see, unless they publish. */
export const canChange = (status: Post['status']) => can(status === 'published' || status === 'scheduled' ? 'posts:publish' : 'posts:write')

/** The client of the project that is open. */
export function verso(): Verso {
  if (!api.value) throw new Error('no project is open')
  return api.value.verso
}

/** The path of a screen of the project: `screenPath('posts', post.id)`. */
export function screenPath(...parts: readonly string[]): string {
  return pathTo(['in', project.value?.slug ?? '', ...parts])
}
