import { copyFileSync, rmSync } from 'node:fs'
import { flushMs, recordCreates, replay } from '../bare-engine.js'
import { createLoad, warmUp } from '../create-load.js'
import { installation } from '../installation.js'
import { medianOf } from '../load.js'
import { startVerso } from '../server.js'

export const question = 'How many durable creates of 2 KB a second, against the bare engine running the same statements?'
export const target =
  '64 clients: ≥ 0.5 of groups of 64, p99 ≤ 150 ms, and ≥ 8 single commits where a flush takes 2 ms; 1 client: ≥ 0.6 of single commits'
export const aims = [
  { row: '64 clients', figure: 'ratio', atLeast: 0.5 },
  { row: '64 clients', figure: 'p99 ms', atMost: 150 },
  { row: '1 client', figure: 'ratio', atLeast: 0.6 },
]

const recorded = 960
const rounds = 3

export async function run() {
  const { path: original, keys } = await installation(10_000)
  const path = `${original}.created`
  copyFileSync(original, path)
  const creates = await recordCreates(original, recorded)
  const verso = await startVerso(`sqlite:${path}`)
  const sides = {
    '64 clients': { clients: 64, inEach: 64, creates },
    '1 client': { clients: 1, inEach: 1, creates: creates.slice(0, recorded / 2) },
  }
  const taken = Object.fromEntries(Object.keys(sides).map((side) => [side, []]))
  await warmUp(verso, keys.secret)
  for (let round = 0; round < rounds; round++) {
    for (const [side, { clients, inEach, creates: replayed }] of Object.entries(sides)) {
      const bare = replay(original, replayed, inEach)
      const load = await createLoad(verso, { key: keys.secret, clients, seconds: 1, name: `Round ${round} of ${clients}` })
      taken[side].push({ ...load, bare: bare.perSecond, bareMicros: bare.cpuMicros, ratio: load.perSecond / bare.perSecond })
    }
  }
  await verso.stop()
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  const flush = Number(flushMs(original).toFixed(2))
  return Object.fromEntries(Object.entries(taken).map(([side, rows]) => [side, { ...figuresOf(rows), 'flush ms': flush }]))
}

function figuresOf(rows) {
  const median = (name) => medianOf(rows.map((row) => row[name]))
  return {
    'creates/s': Math.round(median('perSecond')),
    'bare engine': Math.round(median('bare')),
    ratio: Number(median('ratio').toFixed(2)),
    'p99 ms': Number(median('p99Ms').toFixed(1)),
    'CPU µs': Math.round(median('cpuMicros')),
    'bare CPU µs': Math.round(median('bareMicros')),
  }
}
