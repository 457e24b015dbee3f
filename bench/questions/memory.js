import { installation } from '../installation.js'
import { mixedLoad } from '../mixed-load.js'
import { fairMemoryMbOf, mostMemoryMbOf } from '../process-cost.js'
import { startVerso } from '../server.js'

export const question = 'How much memory has the service, idle and after lists, posts, searches and writes for a while?'
export const target = 'idle ≤ 125 MB; after 60 s over 1,000,000 posts ≤ 280 MB'
export const aims = [
  { row: 'idle', figure: 'memory MB', atMost: 125 },
  { row: 'after 10 s', figure: 'memory MB', atMost: 280 },
  { row: 'after 60 s', figure: 'memory MB', atMost: 280 },
]

/** Long enough for the background jobs to have had a turn. */
const idleMs = 3_000

export async function run({ large }) {
  const [posts, seconds] = large ? [1_000_000, 60] : [10_000, 10]
  const { database, keys } = await installation(posts)
  const verso = await startVerso(database)
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const idle = memoryOf(verso)
  const counts = await mixedLoad(verso.url, { keys, posts, seconds })
  const after = memoryOf(verso)
  await verso.stop()
  return { idle, [`after ${seconds} s`]: { ...after, ...counts } }
}

/** All of it, the most that it was, and with shared pages shared among those who have them. */
function memoryOf({ pid, memoryMb }) {
  const [most, fair] = [mostMemoryMbOf(pid), fairMemoryMbOf(pid)]
  return { 'memory MB': Math.round(memoryMb()), 'most MB': most && Math.round(most), 'PSS MB': fair && Math.round(fair) }
}
