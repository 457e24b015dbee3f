// Asks for a list that is in memory every few milliseconds, on an event loop of its own, until it is told to stop. Answers with the times that
// it took, without what the host of a virtual machine took away of it. JavaScript, because Node 20 loads no TypeScript in a thread.
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
    })
    sent.on('error', reject).end()
  })
}

/** How many milliseconds the host has kept the processors of this machine from running, as Linux counts them in hundredths of a second. */
function stolen() {
  if (!existsSync('/proc/stat')) return 0
  return 10 * Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8])
}

parentPort.once('message', () => {
  isOver = true
})
for (let i = 0; i < 3; i++) await ask()
parentPort.postMessage('begun')
while (!isOver) {
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  const before = stolen()
  const started = performance.now()
  await ask()
  const ms = performance.now() - started
  took.push(Math.max(0, ms - (stolen() - before)))
}
parentPort.postMessage(took.sort((a, b) => a - b))
