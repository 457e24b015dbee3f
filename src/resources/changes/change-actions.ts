import type { Action } from '../../actions/action.ts'
import { deleteOldChanges } from '../../actions/change-log/change-log-store.ts'
import { logHorizon } from './feed.ts'

/** Ends the log where it is told no more. It changes nothing that anybody could still hear of. Returns how many changes there were. */
export const pruneChanges: Action<{ readonly most: number }, number> = {
  name: 'changes.prune',
  run: (tx, caller, { most }) => deleteOldChanges(tx, caller.projectId, logHorizon(caller.now), most),
}
