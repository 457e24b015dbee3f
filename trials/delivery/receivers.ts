import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a receiver does with a request. A `hang` ends after the time that the receiver was given, and `late` accepts after it. */
export type Manner = 'accept' | 'late' | 'fail' | 'redirect' | 'reset' | 'hang' | 'gone'

interface Arrival {
  readonly revision: number
  readonly type: string
  readonly at: number
}

export interface TrialReceiver {
  readonly url: string
  /** Every request in its order, whatever was answered. */
  readonly arrivals: readonly Arrival[]
  /** The events that were accepted, each once. */
  readonly accepted: ReadonlySet<string>
}

const statuses = { accept: 200, fail: 500, redirect: 302, gone: 410 } as const

/** A receiver of webhooks; `manner` decides what it does with an event that came `times` times before. */
export async function startTrialReceiver(hangMs: number, manner: (times: number) => Manner): Promise<TrialReceiver> {
  const arrivals: Arrival[] = []
  const accepted = new Set<string>()
  const times = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const { revision, type } = JSON.parse(Buffer.concat(chunks).toString())
    const event = `${revision} ${type}`
    const before = times.get(event) ?? 0
    times.set(event, before + 1)
    arrivals.push({ revision, type, at: Date.now() })
    const chosen = manner(before)
    if (chosen === 'accept' || chosen === 'late') accepted.add(event)
    answer(response, chosen, hangMs)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, arrivals, accepted }
}

function answer(response: ServerResponse, manner: Manner, hangMs: number): void {
  if (manner === 'reset') response.socket?.resetAndDestroy()
  else if (manner === 'hang') setTimeout(() => response.socket?.destroy(), hangMs).unref()
  else if (manner === 'late') setTimeout(() => response.writeHead(200).end(), hangMs).unref()
  else response.writeHead(statuses[manner], manner === 'redirect' ? { location: 'http://127.0.0.1:1/' } : {}).end()
}
