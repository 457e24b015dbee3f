import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../context.ts'
import { applyPage, type Done, type Target } from './apply-page.ts'
import { type ChangePage, type Feed, FeedRefused } from './feed-client.ts'
import { type FolderState, readState, removeLeftovers } from './folder-state.ts'

interface Sync extends Target {
  readonly feed: Feed
  /** Called when everything has to be compared again, with the reason. */
  onAnew(reason: string): void
}

/** A folder that follows a project, one page of changes at a time. */
export interface SyncedFolder {
  /** Applies the next page. Waits up to `waitSeconds` for it. */
  next(waitSeconds: number): Promise<Done>
}

export async function openFolder({ folder, pictures, feed, onAnew }: Sync): Promise<SyncedFolder> {
  makeFolder(folder)
  await removeLeftovers(folder)
  let state = await readState(folder)
  const missing = missingFile(folder, state)
  if (missing !== undefined) {
    onAnew(`${missing} is missing`)
    state = anew(state)
  }
  return {
    async next(waitSeconds) {
      const page = await readPage(feed, state, waitSeconds)
      if (page === undefined) {
        onAnew('The folder is too far behind, or this key sees other posts than the last one')
        state = anew(state)
        return { written: 0, deleted: 0, hasMore: true, missing: [] }
      }
      const { done, after } = await applyPage({ folder, pictures }, state, page)
      state = after
      return done
    },
  }
}

/** The name of a file that was written and is no longer there. One that was being deleted may be gone. */
function missingFile(folder: string, { files, claimed }: FolderState): string | undefined {
  return [...files.values()].find(({ name }) => !claimed.includes(name) && !existsSync(join(folder, name)))?.name
}

/** The state from which everything is compared. */
function anew(state: FolderState): FolderState {
  return { ...state, cursor: undefined, round: state.round + 1, isWhole: false }
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
