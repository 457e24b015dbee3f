import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { installation } from '../installation.js'
import { medianOf } from '../load.js'
import { fairMemoryMbOf } from '../process-cost.js'
import { startVerso } from '../server.js'

export const question = 'How long from the start of the process to its first answer, and how much memory has it then?'
export const target = '≤ 500 ms with 1,000,000 posts; idle ≤ 125 MB'
export const aims = ['10000 posts', '1000000 posts'].flatMap((row) => [
  { row, figure: 'first answer ms', atMost: 500 },
  { row, figure: 'memory MB', atMost: 125 },
])

const rounds = 5
/** After the first answer; by then the background jobs have had a turn. */
const idleMs = 2_000

/** The sizes in turns, and in each round a Node that does nothing. */
export async function run({ large }) {
  const sizes = large ? [1_000, 1_000_000] : [1_000, 10_000]
  const installations = []
  for (const posts of sizes) installations.push(await installation(posts))
  const starts = sizes.map(() => [])
  const bare = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await bareNode())
    for (const [i, each] of installations.entries()) starts[i].push(await startOnce(each))
  }
  const median = (taken, figure) => Math.round(medianOf(taken.map((each) => each[figure])))
  const rowOf = (taken) => {
    const figures = Object.fromEntries(Object.keys(taken[0]).map((figure) => [figure, median(taken, figure)]))
    return { ...figures, 'times node -e 0': Number((figures['first answer ms'] / medianOf(bare)).toFixed(1)) }
  }
  const rows = sizes.map((posts, i) => [`${posts} posts`, rowOf(starts[i])])
  return Object.fromEntries([...rows, ['node -e 0, to its end', { 'first answer ms': Math.round(medianOf(bare)) }]])
}

async function startOnce({ database, keys }) {
  const started = performance.now()
  const verso = await startVerso(database)
  await answered(`${verso.url}/v1/posts`, { authorization: `Bearer ${keys.public}` })
  const firstMs = performance.now() - started
  const cpuMs = verso.cpuSeconds() * 1_000
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const memory = { 'memory MB': verso.memoryMb(), 'memory MB, shared pages shared (PSS)': fairMemoryMbOf(verso.pid) }
  await verso.stop()
  return { 'first answer ms': firstMs, 'CPU ms': cpuMs, ...memory }
}

/** From the process to its end. */
async function bareNode() {
  const started = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - started
}

/** By `node:http`, which costs the asking side less than its first `fetch` does. */
async function answered(url, headers) {
  const [response] = await once(get(url, { headers }), 'response')
  if (response.statusCode !== 200) throw new Error(`answered with ${response.statusCode}`)
  await once(response.resume(), 'end')
}
