import { Problem } from '../values/problems.ts'

/** The requests of agents that are under way. Their tools ask this very service, which it refuses once it closes. */
export interface AgentCalls {
  /** Throws `shutting_down` once the calls have been ended. */
  run<T>(call: () => Promise<T>): Promise<T>
  /** Takes no more calls, and waits for those under way. */
  end(): Promise<void>
}

export function openAgentCalls(): AgentCalls {
  const open = new Set<Promise<unknown>>()
  let hasEnded = false
  return {
    async run(call) {
      if (hasEnded) throw new Problem('shutting_down', 'The service is stopping. Nothing was done; repeat the request.')
      const answer = call()
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    },
    async end() {
      hasEnded = true
      await Promise.allSettled(open)
    },
  }
}
