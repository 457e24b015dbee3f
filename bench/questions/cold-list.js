import { answerTo } from '../answer.js'
import { installation } from '../installation.js'
import { compare } from '../load.js'
import { startFloor, startVerso } from '../server.js'

export const question =
  'How fast are lists of which none was asked for before (other filters, sorts, pages), among 10,000 posts, with totals?'
export const target = '≥ 0.30 of the floor'
export const aims = [{ row: 'cold list', figure: 'ratio', atLeast: 0.3 }]

const sorts = ['published_at', 'created_at', 'updated_at', 'scheduled_for', 'title', 'slug', 'status'].flatMap((name) => [`-${name}`, name])
const statuses = ['draft', 'published', 'draft,published']
const tags = Array.from({ length: 50 }, (_, i) => `tag-${i}`)
const mostPages = 20

/** Every page (of the first 20) of every filter in every sort, each once and in mixed order: some 30,000 requests. */
export async function run() {
  const { database, keys } = await installation(10_000)
  const verso = await startVerso(database)
  const headers = { authorization: `Bearer ${keys.secret}` }
  const floor = await startFloor(await answerTo(`${verso.url}/v1/posts`, headers))
  const ask = async (path) => (await fetch(verso.url + path, { headers })).json()
  const paths = []
  for (const filter of await filtersOf(ask)) {
    const { pagination } = await ask(`/v1/posts?exclude=content${filter}`)
    for (let page = 1; page <= Math.min(mostPages, pagination.totalPages); page++) {
      for (const sort of sorts) paths.push(`/v1/posts?sort=${sort}${filter}&page=${page}`)
    }
  }
  const cold = mixed(paths)
  // Another range of dates for each: no total is known, or kept anywhere.
  const byDate = cold.map((path, i) => `${path}&updated_after=${new Date(i).toISOString()}`)
  const floorAsked = { paths: ['/v1/posts'], headers }
  const figures = {
    'cold list': await compare(verso, floor, { paths: cold, headers }, { floorAsked }),
    'cold list, by date': await compare(verso, floor, { paths: byDate, headers }, { floorAsked }),
  }
  await verso.stop()
  await floor.stop()
  return figures
}

/** None, tag, category, author, status, tag and status. */
async function filtersOf(ask) {
  const authors = (await ask('/v1/authors?limit=100')).data.map(({ id }) => id)
  const categories = (await ask('/v1/categories?limit=100')).data.map(({ slug }) => slug)
  return [
    '',
    ...tags.map((tag) => `&tag=${tag}`),
    ...categories.map((slug) => `&category=${slug}`),
    ...authors.map((id) => `&author=${id}`),
    ...statuses.map((status) => `&status=${status}`),
    ...tags.flatMap((tag) => statuses.map((status) => `&tag=${tag}&status=${status}`)),
  ]
}

/** The same in another order, which is the same each time: steps of a prime go by every one once. */
function mixed(all) {
  return all.map((_, i) => all[(i * 7_919) % all.length])
}
