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

/** A browser may forbid storage. Then what is written is kept by Verso alone, a second later. */
async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** Keys are the person, the project and the post, or what `claimNew` gives. */
export const keep = (key: string, edit: KeptEdit) =>
  tried(() =>
    edits('readwrite', (store) => {
      store.put(edit, key)
      // At once: the page may be closing.
      store.transaction.commit()
      return promisifyRequest(store.transaction)
    }),
  )
export const forget = (key: string) => tried(() => del(key, edits))
export const findKept = (key: string) => tried(() => get<KeptEdit>(key, edits))

/** A key of this tab alone. Once it is released, or the tab closed, what is kept there may be taken up by another. */
export interface Claim {
  readonly key: string
  release(): void
}

/** For a post that is not there yet: a key that has what was left here unsaved, if anything was. */
export async function claimNew(owner: string): Promise<Claim> {
  const own = `${owner} new ${randomName()}`
  const claim = await claimed(own)
  const left = (await tried(() => keys<string>(edits)))?.filter((key) => key.startsWith(`${owner} new `)) ?? []
  for (const key of left) {
    const other = await claimed(key)
    if (!other) continue
    const edit = await findKept(key)
    if (edit) await keep(own, edit)
    // Storage may be full.
    if (!edit || (await findKept(own))) await forget(key)
    other.release()
    if (edit) break
  }
  return claim ?? { key: own, release: () => undefined }
}

/** Nothing where another tab has it. Pages that came without TLS know no locks: there a text may be taken up twice. */
function claimed(key: string): Promise<Claim | undefined> {
  if (!('locks' in navigator)) return Promise.resolve({ key, release: () => undefined })
  return new Promise((resolve) => {
    const holding = (lock: Lock | null) => lock && new Promise<void>((release) => resolve({ key, release }))
    navigator.locks
      .request(`kept ${key}`, { ifAvailable: true }, holding)
      .then(() => resolve(undefined))
      .catch(() => resolve(undefined))
  })
}

/** As good as a UUID, which pages that came without TLS cannot make. */
export const randomName = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('')
