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
  /** How many requests got each status, or 0 where the answer was cut. */
  readonly statuses: ReadonlyMap<number, number>
  /** How many of them got it when the time was over. */
  readonly late: number
}

export interface Clients<Queues extends readonly Queue[]> {
  /** Sends requests until the time is over, and returns what each queue got. In no time each client sends one. */
  ask(seconds: number): Promise<{ readonly [Q in keyof Queues]: Answered }>
  end(): Promise<unknown>
}

/**
 * Clients in a thread of their own: eight for each queue, or as many as `clients` says. The thread has its queues before it is told to ask,
 * because handing them over takes time on the event loop that the service runs on.
 */
export async function clientsOf<const Queues extends readonly Queue[]>(url: string, queues: Queues, clients = 8): Promise<Clients<Queues>> {
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
