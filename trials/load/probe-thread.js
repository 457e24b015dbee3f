// Asks for a list that is in memory every few milliseconds, on an event loop of its own, until it is told to stop. JavaScript, because
// Node 20 loads no TypeScript in a thread.
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

parentPort.once('message', () => {
  isOver = true
})
for (let i = 0; i < 3; i++) await ask()
parentPort.postMessage('begun')
while (!isOver) {
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  const started = performance.now()
  await ask()
  took.push(performance.now() - started)
}
parentPort.postMessage(took.sort((a, b) => a - b))
