import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * A request that clients send, each time another one: in its path, and in a body that is a string, `{n}` stands for the number of the request,
 * `{deep}` for 15,000 more, `{1-10}` and `{1-100}` for a number in that range, `{ms}` for three digits, and `{post}` for the number of a post.
 */
export interface Wanted {
  readonly path: string
  readonly key: string
  readonly body?: string | Uint8Array
}

/** Requests that clients send in turn, again and again. */
export interface Queue {
  readonly requests: readonly Wanted[]
  /** Number of the first, or 1. */
  readonly from?: number
  /** How many posts there are. */
  readonly posts?: number
}

export interface Answered {
  readonly statuses: ReadonlyMap<number, number>
  /** Answers that came when the time was over. */
  readonly late: number
}

export interface Clients {
  /** Sends requests until the time is over. In no time each client sends one. */
  ask(seconds: number): Promise<Answered>
  end(): Promise<unknown>
}

/**
 * Clients in a thread of their own: eight for each queue, or as many as `clients` says. The thread has its queues before it is told to ask,
 * because handing them over takes time on the event loop that the service runs on.
 */
export async function clientsOf(url: string, queues: readonly Queue[], clients = 8): Promise<Clients> {
  const thread = new Worker(new URL('./client-thread.js', import.meta.url), { workerData: { url, queues, clients } })
  await once(thread, 'message')
  return {
    async ask(seconds) {
      const answered = once(thread, 'message')
      thread.postMessage(seconds)
      return (await answered)[0]
    },
    end: () => thread.terminate(),
  }
}
