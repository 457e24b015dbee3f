import type { Perform } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import { publishDuePosts } from '../resources/posts/publish-due-actions.ts'
import { BoundedMap } from '../values/bounded-map.ts'
import { letOthersGo } from '../values/event-loop.ts'
import type { ProjectId } from '../values/ids.ts'
import type { Observations } from '../values/observations.ts'
import { singleFlight } from '../values/single-flight.ts'
import { inTime, startStopwatch } from '../values/stopwatch.ts'

/** A project that is evicted while it publishes may publish twice at the same time, which is harmless. */
const maxProjects = 1_000

/**
 * How long a request waits for due posts while nothing moves: another program holds a lock, say. Far longer than a transaction takes on a busy
 * machine, and waited for once: after that, requests go on until publishing has succeeded.
 */
const patienceMs = 1_000

/** How many failing projects are tried again at the same time: each takes a connection for as long as it waits for the lock. */
const mostRetried = 3

export interface DuePublisher {
  /** Publishes the due posts of the caller's project. False if that failed (a full disk, say). */
  publishDue(caller: Caller): Promise<boolean>
  /** The same for a request, which waits for no attempt that does not move. False if the request goes on with the last settled state. */
  publishDueInTime(caller: Caller): Promise<boolean>
  /** The same for the timer, which goes on trying where it failed. */
  retryDue(caller: Caller): Promise<boolean>
  /** Projects where that has failed, or has not moved, and has not succeeded since. The one that failed last comes last. */
  readonly failing: ReadonlySet<ProjectId>
}

type Observed = Pick<Observations, 'publishDueFailed' | 'publishDueWorked' | 'dueEditRefused'>

/** The attempts to publish what is due in a project. */
interface Attempts {
  run(caller: Caller): Promise<boolean>
  /** Milliseconds since something was last published, or an attempt began. */
  idleMs(): number
  /** An attempt took too long, and none has succeeded since. */
  areStalled: boolean
}

/** Callers that ask at the same time share a transaction, so that a due time costs one transaction and not one for each request. */
export function duePublisher(perform: Perform, observations: Observations): DuePublisher {
  const projects = new BoundedMap<ProjectId, Attempts>(maxProjects)
  const failing = new Set<ProjectId>()
  const observed = (projectId: ProjectId): Observed => ({
    dueEditRefused: observations.dueEditRefused,
    publishDueFailed(error) {
      failing.delete(projectId)
      failing.add(projectId)
      observations.publishDueFailed(error)
    },
    publishDueWorked() {
      failing.delete(projectId)
      if (failing.size === 0) observations.publishDueWorked()
    },
  })
  const attemptsOf = ({ projectId }: Caller): Attempts => {
    const attempts = projects.get(projectId) ?? openAttempts(perform, observed(projectId))
    projects.set(projectId, attempts)
    return attempts
  }
  const noteStall = ({ projectId }: Caller) =>
    observed(projectId).publishDueFailed(new Error(`publishing what is due has not moved for ${patienceMs} ms`))
  const retried = new Set<ProjectId>()
  return {
    publishDue: (caller) => attemptsOf(caller).run(caller),
    async publishDueInTime(caller) {
      const attempts = attemptsOf(caller)
      // The timer goes on trying.
      if (attempts.areStalled) return false
      const published = await whileItMoves(attempts.run(caller), attempts)
      if (published === undefined && !attempts.areStalled) {
        attempts.areStalled = true
        noteStall(caller)
      }
      return published ?? false
    },
    async retryDue(caller) {
      const { projectId } = caller
      const attempts = attemptsOf(caller)
      const isRetry = failing.has(projectId)
      if (isRetry && (retried.has(projectId) || retried.size === mostRetried)) return false
      if (isRetry) retried.add(projectId)
      const attempt = attempts.run(caller).finally(() => isRetry && retried.delete(projectId))
      const published = await whileItMoves(attempt, attempts)
      // Whether requests still wait is for them to find out: the timer may have been first by a moment.
      if (published === undefined && !failing.has(projectId)) noteStall(caller)
      return published ?? false
    },
    failing,
  }
}

function openAttempts(perform: Perform, observations: Observed): Attempts {
  let idleMs = startStopwatch()
  const moved = () => {
    idleMs = startStopwatch()
  }
  const action = publishDuePosts(moved)

  const publish = async (caller: Caller): Promise<boolean> => {
    moved()
    try {
      for (let more = true; more; ) {
        const turn = await perform(action, caller, null)
        for (const { postId, code } of turn.refused) observations.dueEditRefused(postId, code)
        more = turn.more
      }
    } catch (error) {
      observations.publishDueFailed(error)
      return false
    }
    attempts.areStalled = false
    observations.publishDueWorked()
    return true
  }

  // The log names the schedule as the actor, not the caller whose request came first.
  const run = (caller: Caller) => publish({ ...caller, actor: 'schedule' })
  const attempts: Attempts = {
    run: singleFlight(run, { covers: (running, wanted) => running.now >= wanted.now, join: later }),
    idleMs: () => idleMs(),
    areStalled: false,
  }
  return attempts
}

/** The result of an attempt; undefined once it has not moved for as long as a request waits. */
async function whileItMoves(attempt: Promise<boolean>, { idleMs }: Attempts): Promise<boolean | undefined> {
  const waitedMs = startStopwatch()
  for (let leftMs = patienceMs; leftMs > 0; leftMs = patienceMs - Math.min(waitedMs(), idleMs())) {
    const published = await inTime(attempt, leftMs, () => 'late').catch(() => undefined)
    if (published !== undefined) return published
    // The process itself may have been held up, and what has come meanwhile is handled now.
    await letOthersGo()
  }
  return undefined
}

function later(a: Caller, b: Caller): Caller {
  return a.now > b.now ? a : b
}
