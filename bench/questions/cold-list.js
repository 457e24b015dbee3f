import { answerTo } from '../answer.js'
import { installation } from '../installation.js'
import { compare } from '../load.js'
import { startFloor, startVerso } from '../server.js'

export const question = 'How fast are lists of which none was asked for before (other filters, pages, sorts), among 10,000 posts?'
export const target = '≥ 0.30 of the floor'

/** As many different requests as nobody gets through in one run. */
const count = 100_000
const sorts = ['-published_at', 'published_at', 'title', '-title', 'created_at', '-updated_at', 'slug']

export async function run() {
  const { database, keys } = await installation(10_000)
  const verso = await startVerso(database)
  const headers = { authorization: `Bearer ${keys.public}` }
  const floor = await startFloor(await answerTo(`${verso.url}/v1/posts`, headers))
  const paths = Array.from({ length: count }, (_, i) => coldPath(i))
  const figures = await compare(verso, floor, { paths, headers }, { floorAsked: { paths: ['/v1/posts'], headers } })
  await verso.stop()
  await floor.stop()
  return { 'cold list': figures }
}

function coldPath(i) {
  const sort = sorts[i % sorts.length]
  const filter = ['', `&tag=tag-${i % 50}`, `&published_before=2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z`][i % 3]
  return `/v1/posts?sort=${sort}${filter}&page=${1 + (i % 9)}&updated_after=2020-01-01T00:00:00.${String(i % 997).padStart(3, '0')}Z`
}
