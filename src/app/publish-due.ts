import type { Perform } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import { publishDuePosts } from '../resources/posts/publish-due-actions.ts'
import type { ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Observations } from '../values/observations.ts'

/** One transaction that publishes what was due at an instant. */
interface Turn {
  readonly until: Instant
  readonly done: Promise<boolean>
}

/**
 * Publishes the due posts of a project. Callers that ask at the same time share a transaction, so that a due time costs one transaction and
 * not one per request. Resolves to false if publishing failed.
 */
export function duePublisher(perform: Perform, observations: Observations): (caller: Caller) => Promise<boolean> {
  const running = new Map<ProjectId, Turn>()
  const wanted = new Map<ProjectId, Instant>()
  return async (caller) => {
    const { projectId, now } = caller
    wanted.set(projectId, latest(wanted.get(projectId), now))
    for (let turn = running.get(projectId); turn; turn = running.get(projectId)) {
      const published = await turn.done
      if (turn.until >= now) return published
    }
    const until = latest(wanted.get(projectId), now)
    wanted.delete(projectId)
    // The log names the schedule as the actor, not the caller whose request came first.
    const done = publish(perform, observations, { ...caller, actor: 'schedule', now: until }).finally(() => running.delete(projectId))
    running.set(projectId, { until, done })
    return done
  }
}

async function publish(perform: Perform, observations: Observations, caller: Caller): Promise<boolean> {
  try {
    await perform(publishDuePosts, caller, null)
    observations.publishDueWorked()
    return true
  } catch (error) {
    observations.publishDueFailed(error)
    return false
  }
}

function latest(a: Instant | undefined, b: Instant): Instant {
  return a !== undefined && a > b ? a : b
}
