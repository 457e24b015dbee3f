import { setTimeout as pause } from 'node:timers/promises'

export interface PacedWrites {
  /** The version of each post as it was last acknowledged. */
  acknowledged(): ReadonlyMap<string, number>
  /** How many writes were acknowledged so far. */
  readonly count: () => number
  readonly failures: () => number
  stop(): Promise<void>
}

const writers = 8

interface Service {
  readonly url: string
  readonly key: string
}

/** A bare request: the checks of the usual ones would take the time that the writes need. */
async function send({ url, key }: Service, [method, path]: readonly [string, string], body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as { readonly id: string; readonly version: number } }
}

/** Writes so many times a second until it is stopped: new posts, and changes of those that a writer has made. */
export function startPacedWrites(service: Service, perSecond: number): PacedWrites {
  const versions = new Map<string, number>()
  let [count, failures, isStopped] = [0, 0, false]
  const begun = performance.now()
  const write = async (writer: number) => {
    const own: string[] = []
    for (let turn = 0; !isStopped; turn++) {
      const due = begun + ((turn * writers + writer) * 1_000) / perSecond
      const early = due - performance.now()
      if (early > 0) await pause(early)
      const known = own[own.length - 1 - (turn % 3)]
      const { status, body } =
        turn % 3 === 0 || known === undefined
          ? await send(service, ['POST', '/v1/posts'], {
              title: `Writer ${writer}, turn ${turn}`,
              content: 'Some words. '.repeat(40),
              tags: ['paced'],
              status: 'published',
            })
          : await send(service, ['PATCH', `/v1/posts/${known}`], { excerpt: `turn ${turn}` })
      if (status === 200 || status === 201) {
        if (status === 201) own.push(body.id)
        versions.set(body.id, body.version)
        count++
      } else failures++
    }
  }
  const running = Promise.all(Array.from({ length: writers }, (_, i) => write(i)))
  return {
    acknowledged: () => new Map(versions),
    count: () => count,
    failures: () => failures,
    async stop() {
      isStopped = true
      await running
    },
  }
}
