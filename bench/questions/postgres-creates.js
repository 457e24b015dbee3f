import { createLoad } from '../create-load.js'
import { medianOf } from '../load.js'
import { commitMs, startPostgres } from '../postgres.js'
import { startVerso } from '../server.js'

export const question = 'On PostgreSQL, how many durable creates of 2 KB a second by 64 clients in one project, against one client?'
export const target = '≥ 5 times the single-commit rate'
export const aims = [{ row: '64 clients', figure: 'times one client', atLeast: 5 }]

const rounds = 3

export async function run() {
  const postgres = await startPostgres()
  try {
    const verso = await startVerso(postgres.url)
    const [key] = /verso_live_\w+/.exec(verso.output())
    await createLoad(verso, { key, clients: 64, seconds: 2, name: 'Warm' })
    const taken = { '1 client': [], '64 clients': [] }
    for (let round = 0; round < rounds; round++) {
      taken['1 client'].push(await createLoad(verso, { key, clients: 1, seconds: 1, name: `One ${round}` }))
      taken['64 clients'].push(await createLoad(verso, { key, clients: 64, seconds: 1, name: `Many ${round}` }))
    }
    await verso.stop()
    const times = taken['64 clients'].map((many, round) => many.perSecond / taken['1 client'][round].perSecond)
    const commit = Number((await commitMs(postgres.url)).toFixed(2))
    return {
      '1 client': { ...figuresOf(taken['1 client']), 'commit ms': commit },
      '64 clients': { ...figuresOf(taken['64 clients']), 'times one client': Number(medianOf(times).toFixed(1)), 'commit ms': commit },
    }
  } finally {
    await postgres.stop()
  }
}

function figuresOf(rows) {
  const median = (name) => medianOf(rows.map((row) => row[name]))
  return {
    'creates/s': Math.round(median('perSecond')),
    'p99 ms': Number(median('p99Ms').toFixed(1)),
    'CPU µs': Math.round(median('cpuMicros')),
  }
}
