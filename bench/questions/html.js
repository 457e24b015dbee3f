import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asker, beside, spread } from '../latency.js'
import { startVerso } from '../server.js'

export const question =
  'How long does a post take with include=html, and how long does a hot list while posts are rendered that take for ever?'
export const target = '99th percentile of posts of 5 KB ≤ 25 ms; the slowest hot list beside hostile posts ≤ 50 ms'
export const aims = [
  { row: 'a post, for the first time', figure: '99th percentile ms', atMost: 25 },
  { row: 'a post, again', figure: '99th percentile ms', atMost: 25 },
  { row: 'hot list beside hostile posts', figure: 'slowest ms', atMost: 50 },
  { row: 'hot list beside hostile posts', figure: 'most main thread ms', atMost: 50 },
]

const posts = 400
const hostilePosts = 24

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const verso = await startVerso(`sqlite:${join(folder, 'a.db')}`)
  const [secret, key] = [/verso_live_\w+/, /verso_pub_\w+/].map((kind) => kind.exec(verso.output())[0])
  const write = asker(verso, secret)
  for (let i = 0; i < posts; i++) await create(write, `Post ${i}`, usual(i))
  // The first requests start threads and compile code.
  for (let i = 0; i < posts / 4; i++) await create(write, `Warm ${i}`, usual(posts + i))
  const ask = asker(verso, key)
  const rendered = (slug) => ask(`/v1/posts/${slug}?include=html,toc,reading_time`)
  for (let i = 0; i < posts / 4; i++) await rendered(`warm-${i}`)
  const times = async () => {
    const took = []
    for (let i = 0; i < posts; i++) took.push((await rendered(`post-${i}`)).ms)
    return spread(took)
  }
  const [first, again] = [await times(), await times()]

  const asking = asker(verso, key)
  const hot = () => asking('/v1/posts?exclude=content')
  for (let i = 0; i < hostilePosts; i++) await create(write, `Hostile ${i}`, hostile[i % hostile.length](i))
  await hot()
  const hostileReader = async (from) => {
    const read = asker(verso, key)
    for (let i = from; i < hostilePosts; i += 4) await read(`/v1/posts/hostile-${i}?include=html`)
  }
  const list = await beside(hot, Promise.all([0, 1, 2, 3].map(hostileReader)))
  await verso.stop()
  rmSync(folder, { recursive: true })
  return { 'a post, for the first time': first, 'a post, again': again, 'hot list beside hostile posts': list }
}

const create = (write, title, content) => write('/v1/posts', { method: 'POST', body: { title, content, status: 'published' } })

/** 5 KB with what posts of programmers have: headings, links, code, a table, lists, a picture, some HTML. */
function usual(i) {
  const sentence = `Number ${i} says **what became** of [the subject](https://example.com/${i}) and \`why\`. `
  const code = `\`\`\`js\n${`const answer${i} = await ask({ number: ${i} }) // and wait\n`.repeat(8)}\`\`\`\n\n`
  const table = `| name | value |\n|---|---|\n${`| row | ${i} and *more* |\n`.repeat(10)}\n`
  const list = `${'- an item\n  - one below, ~~or not~~\n'.repeat(5)}\n- [x] done\n\n`
  const picture = `![a picture](/pictures/${i}.jpg)\n\n<details><summary>More</summary>\n\nInside.\n\n</details>\n\n`
  return [1, 2, 3].map((n) => `## Part ${n}\n\n${sentence.repeat(9)}\n\n${[code, table, list + picture][n - 1]}`).join('')
}

/** Half a MiB each, and no two the same. */
const size = 512 * 1024
const hostile = [
  (i) => `${i}${'['.repeat(size)}`,
  (i) => `${i}${'<b><i>'.repeat(size / 6)}`,
  (i) => `${i} ${'*a _b '.repeat(size / 6)}`,
  (i) => `${i}\n\n${'> '.repeat(2_000)}x\n${`${'> '.repeat(90)}y\n\n`.repeat(2_000)}`,
  (i) => `${i} ${'<a href="x">'.repeat(size / 12)}`,
  (i) => `${i}\n\n${`${'|'.repeat(1_000)}\n`}${`${'|-'.repeat(1_000)}|\n`}${`${'|x'.repeat(1_000)}|\n`.repeat(200)}`,
  (i) => `${i} ${'![a](<'.repeat(size / 6)}`,
  (i) => `${i} ${'&amp;<!--'.repeat(size / 9)}`,
]
