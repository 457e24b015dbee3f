import { answerTo } from '../answer.js'
import { compare } from '../load.js'
import { startPostgres } from '../postgres.js'
import { startFloor, startVerso } from '../server.js'

export const question =
  'On PostgreSQL, how fast is the same list again, 20 posts of 2 KB, each request asking whether any node has written?'
export const target = '≥ 0.50 of the floor'
export const aims = [{ row: 'without log', figure: 'ratio', atLeast: 0.5 }]

const content = 'Content that people read, in paragraphs of some length. '.repeat(37)

export async function run() {
  const postgres = await startPostgres()
  try {
    const verso = await startVerso(postgres.url)
    const [secret] = /verso_live_\w+/.exec(verso.output())
    const [key] = /verso_pub_\w+/.exec(verso.output())
    for (let i = 0; i < 40; i++) await publish(verso.url, secret, `Post number ${i}`)
    const headers = { authorization: `Bearer ${key}` }
    const floor = await startFloor(await answerTo(`${verso.url}/v1/posts`, headers))
    const figures = await compare(verso, floor, { paths: ['/v1/posts'], headers })
    await verso.stop()
    await floor.stop()
    return { 'without log': figures }
  } finally {
    await postgres.stop()
  }
}

async function publish(url, key, title) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ title, content, status: 'published', tags: ['tag 1', 'kind 2'] })
  const { status } = await fetch(`${url}/v1/posts`, { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`a post was answered ${status}`)
}
