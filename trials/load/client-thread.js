// Sends requests on an event loop of its own, as the clients of a service do. Some clients take the requests of each queue in turn until the
// time is over, and each at least one. JavaScript, because Node 20 loads no TypeScript in a thread.
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, queues, clients, seconds } = workerData
const until = performance.now() + seconds * 1_000
/** How many requests got each status; an answer that came when the time was over is in `late` too. */
const counts = { statuses: new Map(), late: 0 }

/** Reads an answer without looking at it. */
function ask({ path, key, body }) {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end(body)
  })
}

async function client(queue) {
  do {
    const next = queue.next()
    if (next.done) throw new Error('There are not enough requests for the time.')
    const status = await ask(next.value)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (performance.now() > until) counts.late++
  } while (performance.now() < until)
}

await Promise.all(queues.map((requests) => requests.values()).flatMap((queue) => Array.from({ length: clients }, () => client(queue))))
parentPort.postMessage(counts)
