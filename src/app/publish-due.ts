import type { Perform } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import { publishDuePosts } from '../resources/posts/publish-due-actions.ts'
import type { ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Observations } from '../values/observations.ts'

type PublishDue = (caller: Caller) => Promise<boolean>

/** One transaction that publishes what was due at an instant. */
interface Turn {
  readonly until: Instant
  readonly done: Promise<boolean>
}

/**
 * Makes the way in which due posts are published: all that ask for a project at the same time share a turn, or the next one, so that a due
 * time costs one transaction and not one a request. False where it could not be kept.
 */
export function duePublisher(perform: Perform, observations: Observations): PublishDue {
  const turns = new Map<ProjectId, Turn>()
  const asked = new Map<ProjectId, Instant>()
  return async (caller) => {
    const { projectId, now } = caller
    asked.set(projectId, latest(asked.get(projectId), now))
    for (let turn = turns.get(projectId); turn; turn = turns.get(projectId)) {
      const published = await turn.done
      if (turn.until >= now) return published
    }
    const until = latest(asked.get(projectId), now)
    asked.delete(projectId)
    // Whoever asks: it is the clock that publishes.
    const done = publishNow(perform, observations, { ...caller, actor: 'schedule', now: until }).finally(() => turns.delete(projectId))
    turns.set(projectId, { until, done })
    return done
  }
}

async function publishNow(perform: Perform, observations: Observations, caller: Caller): Promise<boolean> {
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
