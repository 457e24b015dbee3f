import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { warmUp } from '../create-load.js'
import { installation } from '../installation.js'
import { load, medianOf } from '../load.js'
import { startVerso } from '../server.js'

export const question = 'How fast is the same public list again and again while 64 clients write, against nobody writing?'
export const target = '≥ 0.6 of the reads without at 500 drafts a second, ≥ 0.3 at 50 publications a second; read p99 ≤ 30 ms'
export const aims = [
  { row: '500 drafts/s', figure: 'ratio', atLeast: 0.6 },
  { row: '500 drafts/s', figure: 'read p99 ms', atMost: 30 },
  { row: '50 publications/s', figure: 'ratio', atLeast: 0.3 },
  { row: '50 publications/s', figure: 'read p99 ms', atMost: 30 },
]

const paces = { '500 drafts/s': [500, 'draft'], '50 publications/s': [50, 'published'] }
const rounds = 3
const writer = fileURLToPath(new URL('../paced-writes.js', import.meta.url))

export async function run() {
  const { path: original, keys } = await installation(10_000)
  const path = `${original}.written`
  copyFileSync(original, path)
  const verso = await startVerso(`sqlite:${path}`)
  const asked = { paths: ['/v1/posts'], headers: { authorization: `Bearer ${keys.public}` } }
  const taken = Object.fromEntries(Object.keys(paces).map((pace) => [pace, []]))
  await warmUp(verso, keys.secret)
  await load(verso, { ...asked, seconds: 2 })
  for (let round = 0; round < rounds; round++) {
    for (const [pace, [perSecond, status]] of Object.entries(paces)) {
      const without = await load(verso, asked)
      const stop = startWrites(verso.url, keys.secret, perSecond, status)
      // The first are slow.
      await new Promise((resolve) => setTimeout(resolve, 500))
      const reads = await load(verso, { ...asked, seconds: 2 })
      taken[pace].push({ reads, without, writes: await stop() })
    }
  }
  await verso.stop()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  return Object.fromEntries(Object.entries(taken).map(([pace, rows]) => [pace, figuresOf(rows)]))
}

function startWrites(url, key, perSecond, status) {
  const child = spawn(process.execPath, [writer, url, key, String(perSecond), status], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
    const { failed, ...writes } = JSON.parse(output)
    if (failed > 0) throw new Error(`${failed} writes were answered wrongly`)
    return writes
  }
}

function figuresOf(rows) {
  const median = (figure) => medianOf(rows.map(figure))
  return {
    'reads/s': Math.round(median(({ reads }) => reads.perSecond)),
    'without writes': Math.round(median(({ without }) => without.perSecond)),
    ratio: Number(median(({ reads, without }) => reads.perSecond / without.perSecond).toFixed(2)),
    'read p99 ms': Number(median(({ reads }) => reads.p99Ms).toFixed(1)),
    'writes/s': Math.round(median(({ writes }) => writes.perSecond)),
  }
}
