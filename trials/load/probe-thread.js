// Asks for a list that is in memory every few milliseconds, on an event loop of its own, until it is told to stop. Answers with the times that
// it took, without what is not the service's: what the host of a virtual machine took away, or what this thread itself waited for a processor.
// JavaScript, because Node 20 loads no TypeScript in a thread.
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, key, everyMs } = workerData
const headers = { authorization: `Bearer ${key}` }
const took = []
let isOver = false

function ask() {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/posts?limit=1`, { headers }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`))))
      response.on('close', () => reject(new Error('an answer was cut')))
    })
    sent.on('error', reject).end()
  })
}

/** How many milliseconds the host has kept the processors of this machine from running, as Linux counts them in hundredths of a second. */
function stolen() {
  if (!existsSync('/proc/stat')) return 0
  return 10 * Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8])
}

/** How many milliseconds this thread has waited for a processor, as Linux counts them. */
function waited() {
  const path = '/proc/thread-self/schedstat'
  if (!existsSync(path)) return 0
  return Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6
}

parentPort.once('message', () => {
  isOver = true
})
for (let i = 0; i < 3; i++) await ask()
parentPort.postMessage('begun')
while (!isOver) {
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  const before = { stolen: stolen(), waited: waited() }
  const started = performance.now()
  await ask()
  const ms = performance.now() - started
  // A processor that was taken away is waited for, so both can have counted the same time.
  took.push(Math.max(0, ms - Math.max(stolen() - before.stolen, waited() - before.waited)))
}
parentPort.postMessage(took.sort((a, b) => a - b))
