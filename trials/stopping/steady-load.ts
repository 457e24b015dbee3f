import { Agent, request as send } from 'node:http'
import type { SeededRandom } from '../harness/seeded-random.ts'

/** What became of the requests so far. */
export interface Tally {
  requests: number
  reads: number
  writes: number
  /** Titles of posts whose creation was acknowledged. */
  readonly acknowledged: string[]
  /** Answers of the wrong kind, and requests without one, of every kind below. */
  readonly failures: string[]
  /** Answers that ended before their end. */
  cut: number
  /** Requests for which no connection was made: nobody listened. */
  refused: number
  /** Requests that were alone on a new connection, which the service read and closed without an answer. */
  droppedOnNew: number
  /** New connections that the operating system reset, because the service had not accepted them, or had read nothing, when it ended to listen. */
  resetOnNew: number
  /** The same on a connection that had been used: it may have been closed as idle just when the request was sent. */
  droppedOnKept: number
}

/** How a load ended for a request without an answer. */
type Dropped = 'cut' | 'refused' | 'droppedOnNew' | 'resetOnNew' | 'droppedOnKept'

class NoAnswer extends Error {
  readonly how: Dropped

  constructor(how: Dropped, cause: string) {
    super(`${how}: ${cause}`)
    this.how = how
  }
}

export const emptyTally = (): Tally => ({
  ...{ requests: 0, reads: 0, writes: 0, acknowledged: [], failures: [] },
  ...{ cut: 0, refused: 0, droppedOnNew: 0, resetOnNew: 0, droppedOnKept: 0 },
})

interface Load {
  readonly url: string
  readonly key: string
  readonly perSecond: number
  /** The part of the requests that write. */
  readonly writing: number
  readonly random: SeededRandom
  /** Begins the number in each title. */
  readonly prefix?: string
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A connection that is closed when all of it has been read ends, which Node calls a hang-up; with something unread it is reset. */
function howDropped({ code, syscall }: NodeJS.ErrnoException, isKept: boolean): Dropped {
  if (code === 'ECONNREFUSED') return 'refused'
  if (isKept) return 'droppedOnKept'
  return code === 'ECONNRESET' && syscall !== undefined ? 'resetOnNew' : 'droppedOnNew'
}

export interface SteadyLoad {
  readonly tally: Tally
  /** Sends so many requests at once, beside the others. */
  burst(requests: number): void
  stop(): Promise<Tally>
}

const reads = ['/v1/posts?limit=5', '/v1/posts?limit=10&sort=title', '/v1/tags', '/v1/changes?limit=10']

/**
 * Sends requests at a steady rate, whether the answers come or not, until it is stopped. Every other one has a new connection of its own,
 * on which a request without an answer was surely dropped.
 */
export function steadyLoad({ url, key, perSecond, writing, random, prefix = '' }: Load): SteadyLoad {
  const tally = emptyTally()
  const kept = new Agent({ keepAlive: true, maxSockets: 100 })
  const single = new Agent({ keepAlive: false })
  let sentSoFar = 0
  const open = new Set<Promise<void>>()
  let etag = ''

  const ask = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body)
      const sent = send(
        new URL(path, url),
        {
          method,
          agent: sentSoFar++ % 2 === 0 ? kept : single,
          headers: {
            authorization: `Bearer ${key}`,
            ...headers,
            ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
          )
          response.on('error', (error) => reject(new NoAnswer('cut', error.message)))
        },
      )
      sent.on('error', (error: NodeJS.ErrnoException) => {
        reject(new NoAnswer(howDropped(error, sent.reusedSocket), error.message))
      })
      sent.end(text)
    })

  const one = async (number: number): Promise<void> => {
    const isWrite = random.fraction() < writing
    const kind = isWrite ? 'write' : random.fraction() < 0.3 ? 'conditional' : 'read'
    tally.requests++
    try {
      if (kind === 'write') {
        tally.writes++
        const title = `Post ${prefix}${number} word`
        const { status, headers, text } = await ask('POST', '/v1/posts', {
          title,
          content: 'x'.repeat(random.int(4_000)),
          status: 'published',
        })
        if (status === 201 && JSON.parse(text).title === title) tally.acknowledged.push(title)
        else tally.failures.push(`POST ${status} ${headers['x-balancer'] ?? text.slice(0, 300)}`)
        return
      }
      tally.reads++
      const path = kind === 'conditional' ? '/v1/posts?limit=5' : random.pick(reads)
      const { status, headers, text } = await ask('GET', path, undefined, kind === 'conditional' ? { 'if-none-match': etag } : {})
      if (kind === 'conditional' && status === 200) etag = String(headers.etag)
      if (status === 200) JSON.parse(text)
      else if (status !== 304) tally.failures.push(`GET ${path} ${status} ${headers['x-balancer'] ?? text.slice(0, 300)}`)
    } catch (error) {
      // What is no JSON has ended too early.
      const how = error instanceof NoAnswer ? error.how : 'cut'
      tally[how]++
      tally.failures.push(`${kind}: ${error}`)
    }
  }

  let [number, extra] = [0, 0]
  const begin = () => {
    const sent = one(number++).finally(() => open.delete(sent))
    open.add(sent)
  }
  const begun = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond)
    while (number - extra < due) begin()
  }, 2)
  return {
    tally,
    burst(requests) {
      extra += requests
      for (let i = 0; i < requests; i++) begin()
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      kept.destroy()
      return tally
    },
  }
}
