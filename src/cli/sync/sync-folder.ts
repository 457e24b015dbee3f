import { mkdir } from 'node:fs/promises'
import { applyPage, type Done } from './apply-page.ts'
import { type ChangePage, type Feed, FeedRefused } from './feed-client.ts'
import { type FolderState, readState } from './folder-state.ts'

export interface Sync {
  readonly folder: string
  readonly feed: Feed
  /** Told when everything has to be brought anew. */
  onAnew(): void
}

/** A folder that is kept equal to a project, a page of changes at a time. */
export interface SyncedFolder {
  /** Takes over the next page, waiting for it so many seconds. */
  next(waitSeconds: number): Promise<Done>
}

export async function openFolder({ folder, feed, onAnew }: Sync): Promise<SyncedFolder> {
  await mkdir(folder, { recursive: true })
  let state = await readState(folder)
  return {
    async next(waitSeconds) {
      const page = await readPage(feed, state, waitSeconds)
      if (page === undefined) {
        onAnew()
        state = { ...state, cursor: undefined, round: state.round + 1, isWhole: false }
        return { written: 0, deleted: 0, hasMore: true }
      }
      const { done, after } = await applyPage(folder, state, page)
      state = after
      return done
    },
  }
}

/** None where the cursor has expired, or belongs to a key that sees other resources. */
async function readPage(feed: Feed, { cursor }: FolderState, waitSeconds: number): Promise<ChangePage | undefined> {
  try {
    return await feed.read(cursor, waitSeconds)
  } catch (error) {
    const isUseless = error instanceof FeedRefused && ['cursor_expired', 'invalid_cursor'].includes(error.code)
    if (isUseless && cursor !== undefined) return undefined
    throw error
  }
}
