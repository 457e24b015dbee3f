/** How the goals of runs of the same work compare, such as the instants up to which posts are published. */
interface Goals<G> {
  /** Whether the run for one goal reaches another, too. A run reaches nothing that is asked for after it began where this is not said. */
  covers(running: G, wanted: G): boolean
  /** The goal of a run that reaches both. The later one where this is not said. */
  join(earlier: G, later: G): G
}

/**
 * Runs work once at a time. Who asks during a run shares it where it covers their goal. The others share the one run after it, which begins
 * even where the first fails.
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
