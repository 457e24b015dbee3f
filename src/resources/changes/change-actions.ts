import type { Action } from '../../actions/action.ts'
import { deleteOldChanges } from '../../actions/change-log/change-log-store.ts'
import { logHorizon } from './feed.ts'

/** Deletes changes that the feed no longer shows, and returns how many. */
export const pruneChanges: Action<{ readonly most: number }, number> = {
  name: 'changes.prune',
  run: (tx, caller, { most }) => deleteOldChanges(tx, caller.projectId, logHorizon(caller.now), most),
}
