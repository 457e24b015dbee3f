/** How the goals of runs compare, such as the instants up to which posts are published. */
interface Goals<G> {
  /** Whether a run for one goal also reaches the other. By default it does not. */
  covers(running: G, wanted: G): boolean
  /** A goal that includes both. By default, the later one. */
  join(earlier: G, later: G): G
}

/**
 * Runs work once at a time. A call during a run shares that run if it covers the goal. All other calls share one run after it, which starts
 * even if the first one fails.
 */
export function singleFlight<G = void, R = void>(
  work: (goal: G) => Promise<R>,
  { covers = () => false, join = (_, later) => later }: Partial<Goals<G>> = {},
): (goal: G) => Promise<R> {
  let running: { readonly goal: G; readonly done: Promise<R> } | undefined
  let next: { goal: G; readonly done: Promise<R> } | undefined

  const begin = (goal: G): Promise<R> => {
    next = undefined
    const done = work(goal).finally(() => {
      running = undefined
    })
    running = { goal, done }
    return done
  }

  const beginAfter = async (first: Promise<R>, goal: G): Promise<R> => {
    await first.catch(() => undefined)
    return begin(next ? next.goal : goal)
  }

  return (goal) => {
    if (!running) return begin(goal)
    if (covers(running.goal, goal)) return running.done
    if (next) next.goal = join(next.goal, goal)
    else next = { goal, done: beginAfter(running.done, goal) }
    return next.done
  }
}
