import type { EditFields } from './edits.ts'

/** What was written here and is not saved in Verso yet. */
export interface KeptEdit {
  /** The project and the post, or `new`. */
  readonly key: string
  readonly fields: EditFields
  /** What Verso had when the edit began. */
  readonly saved: EditFields
  /** What was last sent there: it may have come, though no answer did. */
  readonly sent: EditFields | undefined
  /** Of the pending edit; none where there was none. */
  readonly version: number | undefined
}

const store = 'edits'

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

const opened: { database?: Promise<IDBDatabase> } = {}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('verso-studio', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'key' })
  return done(request)
}

async function inStore<T>(mode: IDBTransactionMode, work: (edits: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    opened.database ??= open()
    return await done(work((await opened.database).transaction(store, mode).objectStore(store)))
  } catch {
    // A browser may forbid storage. Then what is written is kept by Verso alone, a second later.
    return undefined
  }
}

export const keep = (edit: KeptEdit) => inStore('readwrite', (edits) => edits.put(edit))
export const forget = (key: string) => inStore('readwrite', (edits) => edits.delete(key))
export const findKept = (key: string): Promise<KeptEdit | undefined> =>
  inStore('readonly', (edits) => edits.get(key) as IDBRequest<KeptEdit | undefined>)
