import { createStore, del, get, keys, promisifyRequest } from 'idb-keyval'
import type { EditFields } from './edits.ts'

/** What was written here and is not saved in Verso yet. */
export interface KeptEdit {
  readonly fields: EditFields
  /** What Verso had when the edit began. */
  readonly saved: EditFields
  /** What was last sent there: it may have come, though no answer did. */
  readonly sent: EditFields | undefined
}

const edits = createStore('verso', 'edits')

/** Storage that does not answer for so long is done without. */
const patienceMs = 10_000

/** A browser may forbid storage, or it may hang. Then what is written is kept by Verso alone, a second later. */
function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  const asked = new Promise<T>((resolve) => resolve(work()))
  const givenUp = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))
  return Promise.race([asked, givenUp]).catch(() => undefined)
}

/** Says whether it is kept. Keys are the person, the project, the post or `new`, and the editor: two tabs may have the same post. */
export const keep = (key: string, edit: KeptEdit) =>
  tried(() =>
    edits('readwrite', (store) => {
      store.put(edit, key)
      // At once: the page may be closing.
      store.transaction.commit()
      return promisifyRequest(store.transaction).then(() => true)
    }),
  )
export const forget = (key: string) => tried(() => del(key, edits))
const findKept = (key: string) => tried(() => get<KeptEdit>(key, edits))

/** Takes up what another editor has left of the same post, but for a new one that is still being written. If more have, the next one gets the rest. */
export async function takeUp(own: string): Promise<KeptEdit | undefined> {
  const post = own.slice(0, own.lastIndexOf(' '))
  const left = (await tried(() => keys<string>(edits)))?.filter((key) => key !== own && key.startsWith(post)) ?? []
  for (const key of left) {
    const release = await claim(key)
    if (!release) continue
    const edit = await findKept(key)
    if (edit) await keep(own, edit)
    // Storage may be full.
    if (!edit || (await findKept(own))) await forget(key)
    release()
    if (edit) return edit
  }
  return undefined
}

/** Keeps a key from others until what it gives is called: nothing where another tab has it. Pages that came without TLS know no locks: there a text may be taken up twice. */
export function claim(key: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve) => {
    const holding = (lock: Lock | null) => lock && new Promise<void>((release) => resolve(release))
    const refused = () => resolve(undefined)
    navigator.locks.request(`kept ${key}`, { ifAvailable: true }, holding).then(refused, refused)
  })
}

/** As good as a UUID, which pages that came without TLS cannot make. */
export const randomName = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('')
