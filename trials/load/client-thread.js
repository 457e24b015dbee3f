// Sends requests on an event loop of its own, as the clients of a service do (`clients.ts`). JavaScript, because Node 20 loads no TypeScript
// in a thread.
import { once } from 'node:events'
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, queues, clients } = workerData

/** The requests of a queue, again and again, each time with other numbers. */
function* requestsOf({ requests, from = 1, posts = 1 }) {
  for (let n = from; ; n++) {
    const numbers = {
      n,
      deep: 15_000 + n,
      '1-10': 1 + (n % 10),
      '1-100': 1 + (n % 100),
      ms: String(n % 1_000).padStart(3, '0'),
      post: (n * 7_919) % posts,
    }
    const numbered = (text) => text.replace(/\{(n|deep|1-10|1-100|ms|post)\}/g, (_, name) => numbers[name])
    const { path, key, body } = requests[n % requests.length]
    yield { path: numbered(path), key, body: typeof body === 'string' ? numbered(body) : body }
  }
}

/** Reads an answer without looking at it, and returns its status, or 0 if it was cut. */
function ask({ path, key, body }) {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.complete ? response.statusCode : 0))
    })
    sent.on('error', reject).end(body)
  })
}

async function client(requests, until, counts) {
  do {
    const status = await ask(requests.next().value)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    if (performance.now() > until) counts.late++
  } while (performance.now() < until)
}

const told = once(parentPort, 'message')
parentPort.postMessage('ready')
const [seconds] = await told
const until = performance.now() + seconds * 1_000
const answered = queues.map(async (queue) => {
  const requests = requestsOf(queue)
  const counts = { statuses: new Map(), late: 0 }
  await Promise.all(Array.from({ length: clients }, () => client(requests, until, counts)))
  return counts
})
parentPort.postMessage(await Promise.all(answered))
