import { createStore, del, get, set } from 'idb-keyval'
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

/** Keys are the project and the post, or `new`. */
export const keep = (key: string, edit: KeptEdit) => tried(() => set(key, edit, edits))
export const forget = (key: string) => tried(() => del(key, edits))
export const findKept = (key: string) => tried(() => get<KeptEdit>(key, edits))
