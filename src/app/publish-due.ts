import type { Perform } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import { publishDuePosts } from '../resources/posts/publish-due-actions.ts'
import { BoundedMap } from '../values/bounded-map.ts'
import type { ProjectId } from '../values/ids.ts'
import type { Observations } from '../values/observations.ts'
import { singleFlight } from '../values/single-flight.ts'

/** A project that is evicted while it publishes may publish twice at the same time, which is harmless. */
const maxProjects = 1_000

/**
 * Publishes the due posts of a project. Callers that ask at the same time share a transaction, so that a due time costs one transaction and
 * not one per request. Resolves to false if publishing failed.
 */
export function duePublisher(perform: Perform, observations: Observations): (caller: Caller) => Promise<boolean> {
  const flights = new BoundedMap<ProjectId, (caller: Caller) => Promise<boolean>>(maxProjects)
  // The log names the schedule as the actor, not the caller whose request came first.
  const run = (caller: Caller) => publish(perform, observations, { ...caller, actor: 'schedule' })
  return (caller) => {
    const flight =
      flights.get(caller.projectId) ?? singleFlight(run, { covers: (running, wanted) => running.now >= wanted.now, join: later })
    flights.set(caller.projectId, flight)
    return flight(caller)
  }
}

async function publish(perform: Perform, observations: Observations, caller: Caller): Promise<boolean> {
  try {
    for (let more = true; more; ) {
      const turn = await perform(publishDuePosts, caller, null)
      for (const { postId, code } of turn.refused) observations.dueEditRefused(postId, code)
      more = turn.more
    }
    observations.publishDueWorked()
    return true
  } catch (error) {
    observations.publishDueFailed(error)
    return false
  }
}

function later(a: Caller, b: Caller): Caller {
  return a.now > b.now ? a : b
}
