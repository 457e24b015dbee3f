import { createStore, del, get, keys, set } from 'idb-keyval'
import type { EditFields } from './edits.ts'

/** What was written here and is not saved in Verso yet. */
export interface KeptEdit {
  readonly fields: EditFields
  /** What Verso had when the edit began. */
  readonly saved: EditFields
  /** What was last sent there: it may have come, though no answer did. */
  readonly sent: EditFields | undefined
  /** Of the pending edit; none where there was none. */
  readonly version: number | undefined
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
export const keep = (key: string, edit: KeptEdit) => tried(() => set(key, edit, edits))
export const forget = (key: string) => tried(() => del(key, edits))
export const findKept = (key: string) => tried(() => get<KeptEdit>(key, edits))

/** A key that no other tab has, until it is released or the tab is closed. */
export interface Claim {
  readonly key: string
  release(): void
}

/** For a post that is not there yet: the key of one that was left here unsaved, else one of its own. */
export async function claimNew(owner: string): Promise<Claim> {
  const left = (await tried(() => keys<string>(edits)))?.filter((key) => key.startsWith(`${owner} new `)) ?? []
  for (const key of left) {
    const claim = await claimed(key)
    if (claim) return claim
  }
  const key = `${owner} new ${crypto.randomUUID()}`
  return (await claimed(key)) ?? { key, release: () => undefined }
}

/** Nothing where another tab has it. */
function claimed(key: string): Promise<Claim | undefined> {
  return new Promise((resolve) => {
    const holding = (lock: Lock | null) => lock && new Promise<void>((release) => resolve({ key, release }))
    navigator.locks
      .request(`kept ${key}`, { ifAvailable: true }, holding)
      .then(() => resolve(undefined))
      .catch(() => resolve(undefined))
  })
}
