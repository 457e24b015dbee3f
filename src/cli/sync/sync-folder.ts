import { makeFolder } from '../../context.ts'
import { applyPage, type Done, type Target } from './apply-page.ts'
import { type ChangePage, type Feed, FeedRefused } from './feed-client.ts'
import { type FolderState, readState } from './folder-state.ts'

interface Sync extends Target {
  readonly feed: Feed
  /** Called when everything has to be compared again. */
  onAnew(): void
}

/** A folder that follows a project, one page of changes at a time. */
export interface SyncedFolder {
  /** Applies the next page. Waits up to `waitSeconds` for it. */
  next(waitSeconds: number): Promise<Done>
}

export async function openFolder({ folder, pictures, feed, onAnew }: Sync): Promise<SyncedFolder> {
  makeFolder(folder)
  let state = await readState(folder)
  return {
    async next(waitSeconds) {
      const page = await readPage(feed, state, waitSeconds)
      if (page === undefined) {
        onAnew()
        state = { ...state, cursor: undefined, round: state.round + 1, isWhole: false }
        return { written: 0, deleted: 0, hasMore: true, missing: [] }
      }
      const { done, after } = await applyPage({ folder, pictures }, state, page)
      state = after
      return done
    },
  }
}

/** None if the cursor has expired or belongs to a key that sees other posts. */
async function readPage(feed: Feed, { cursor }: FolderState, waitSeconds: number): Promise<ChangePage | undefined> {
  try {
    return await feed.read(cursor, waitSeconds)
  } catch (error) {
    const isUseless = error instanceof FeedRefused && ['cursor_expired', 'invalid_cursor'].includes(error.code)
    if (isUseless && cursor !== undefined) return undefined
    throw error
  }
}
