// How long single requests take, asked one after the other.
import { Agent, request } from 'node:http'
import { medianOf } from './load.js'
import { mainThreadMsOf } from './process-cost.js'

/** A way to ask one server: the milliseconds until the last byte of the answer, those that its main thread worked, and the answer. */
export function asker({ url, pid }, key) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${key}` }
  return (path, { method = 'GET', body } = {}) =>
    new Promise((resolve, reject) => {
      const worked = mainThreadMsOf(pid)
      const started = performance.now()
      const asked = request(url + path, { agent, method, headers: body ? { ...headers, 'content-type': 'application/json' } : headers })
      asked.on('error', reject)
      asked.on('response', (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const ms = performance.now() - started
          const cpuMs = mainThreadMsOf(pid) - worked
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode >= 400) return reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
          resolve({ ms, cpuMs, answer: JSON.parse(text) })
        })
      })
      asked.end(body && JSON.stringify(body))
    })
}

/** Changes the newest post of a server, so that nothing that was asked for before is known any more. */
export async function forgetter(ask) {
  const { answer } = await ask('/v1/posts?status=published&fields=id&limit=1&total=false')
  const path = `/v1/posts/${answer.data[0].id}`
  let changes = Date.now()
  return () => ask(path, { method: 'PATCH', body: { excerpt: `Change ${changes++}` } })
}

const probeMs = 4

/**
 * How long a list that is in memory takes while work is done beside it, asked every 4 ms by another connection; and how much the main thread
 * worked meanwhile at most, where the rest is waiting for a processor.
 */
export async function beside(hot, work) {
  const took = []
  let most = 0
  let isDone = false
  const done = work.finally(() => (isDone = true))
  while (!isDone) {
    const due = performance.now() + probeMs
    await new Promise((resolve) => setTimeout(resolve, probeMs))
    const { cpuMs } = await hot()
    took.push(performance.now() - due)
    most = Math.max(most, cpuMs)
  }
  await done
  return { ...spread(took), 'most main thread ms': Math.round(most * 10) / 10 }
}

/** Of many figures: the middle, the 99th of a hundred, and the largest. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] * 10) / 10
  return { 'median ms': at(0.5), '99th percentile ms': at(0.99), 'slowest ms': at(1) }
}

/** The middle of many figures, to hundredths. */
export function median(values) {
  return Number(medianOf(values).toFixed(2))
}
