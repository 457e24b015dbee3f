import { installation } from '../installation.js'
import { startVerso } from '../server.js'

export const question = 'How long from the start of the process to its first answer, and how much memory has it then?'
export const target = '≤ 500 ms with 1,000,000 posts; ≤ 125 MB'

export async function run({ large }) {
  const figures = {}
  for (const posts of large ? [1_000, 1_000_000] : [1_000, 10_000]) {
    const { database, keys } = await installation(posts)
    const verso = await startVerso(database)
    const started = performance.now()
    await fetch(`${verso.url}/v1/posts`, { headers: { authorization: `Bearer ${keys.public}` } })
    const firstMs = verso.startedMs + performance.now() - started
    figures[`${posts} posts`] = { 'first answer ms': Math.round(firstMs), 'memory MB': Math.round(verso.memoryMb()) }
    await verso.stop()
  }
  return figures
}
