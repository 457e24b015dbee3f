// Writes of 64 clients at a given pace, in a process of its own so that reads are sent by another: node paced-writes.js <url> <key> <per second> <status>
import { Agent, request } from 'node:http'

const clients = 64
const [url, key, perSecond, status] = process.argv.slice(2)
const content = 'Content that people read, in paragraphs of some length. '.repeat(37)
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const started = performance.now()
let [sent, done, failed] = [0, 0, 0]

setInterval(() => {
  const due = ((performance.now() - started) / 1_000) * Number(perSecond)
  // Whoever is answered late sends late: 64 clients have 64 requests under way at most.
  while (sent < due && sent - done < clients) write(sent++)
}, 2)
process.on('SIGTERM', () => {
  console.log(JSON.stringify({ done, failed, perSecond: (done * 1_000) / (performance.now() - started) }))
  process.exit(0)
})

function write(i) {
  const body = JSON.stringify({ title: `Paced ${status} ${process.pid} ${i}`, content, tags: ['tag 1'], status })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const asked = request(`${url}/v1/posts`, { method: 'POST', agent, headers }, (response) => {
    response.resume().on('end', () => end(response.statusCode === 201))
  })
  asked.on('error', () => end(false))
  asked.end(body)
}

function end(well) {
  done++
  if (!well) failed++
}
