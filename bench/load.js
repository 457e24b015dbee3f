// Sends load: wrk where it is on the machine, else autocannon. 32 connections, keep-alive.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const run = promisify(execFile)
const connections = 32
const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** How many requests, how many per second, the 99th percentile of how long they took, and CPU microseconds that the server spent per request. `paths` are asked for in turn. */
export async function load(server, { paths, headers = {}, seconds = 1 }) {
  const before = server.cpuSeconds()
  const { requests, p99Ms, errors } = await (hasWrk ? withWrk : withAutocannon)(server.url, { paths, headers, seconds })
  if (errors > 0) throw new Error(`${errors} requests were answered wrongly`)
  return { requests, perSecond: requests / seconds, p99Ms, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}

/** Two servers under the same load in turns, `rounds` times; the medians of both and their ratio. */
export async function compare(subject, floor, asked, { rounds = 5, floorAsked = asked } = {}) {
  const ratios = []
  const subjects = []
  const floors = []
  let { requests: asks } = await load(subject, { ...asked, seconds: 2 })
  await load(floor, { ...floorAsked, seconds: 1 })
  for (let round = 0; round < rounds; round++) {
    floors.push(await load(floor, floorAsked))
    subjects.push(await load(subject, { ...asked, paths: from(asked.paths, asks) }))
    asks += subjects[round].requests
    ratios.push(subjects[round].perSecond / floors[round].perSecond)
  }
  return {
    'requests/s': Math.round(medianOf(subjects.map((each) => each.perSecond))),
    'floor requests/s': Math.round(medianOf(floors.map((each) => each.perSecond))),
    ratio: Number(medianOf(ratios).toFixed(2)),
    'CPU µs': Math.round(medianOf(subjects.map((each) => each.cpuMicros))),
    'floor CPU µs': Math.round(medianOf(floors.map((each) => each.cpuMicros))),
  }
}

/** The same paths, going on where so many requests have come. */
function from(paths, asks) {
  const start = asks % paths.length
  return [...paths.slice(start), ...paths.slice(0, start)]
}

export function medianOf(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

async function withWrk(url, { paths, headers, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const script = join(folder, 'paths.lua')
  const list = paths.map((path) => JSON.stringify(path)).join(',')
  const table = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`)
  writeFileSync(
    script,
    `local paths={${list}}\nlocal i=0\nlocal h={${table}}\nfunction request() i=i%#paths+1 return wrk.format("GET",paths[i],h) end\n` +
      'function done(s,l) io.write(string.format("\\nRESULT %d %d %d\\n",s.requests,l:percentile(99),s.errors.status+s.errors.connect+s.errors.read)) end\n',
  )
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url], { maxBuffer: 1 << 24 })
  rmSync(folder, { recursive: true })
  const [, requests, p99, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(stdout)
  return { requests: Number(requests), p99Ms: Number(p99) / 1_000, errors: Number(errors) }
}

/** Each connection has its own share of the paths, as with wrk: each is asked for once, and no list is copied for every connection. */
async function withAutocannon(url, { paths, headers, seconds }) {
  let opened = 0
  const setupClient = (client) => {
    const first = opened++
    const own = paths.filter((_, i) => i % connections === first)
    client.setRequests((own.length > 0 ? own : paths).map((path) => ({ path, headers })))
  }
  const result = await autocannon({ url, connections, duration: seconds, setupClient })
  return { requests: result.requests.total, p99Ms: result.latency.p99, errors: result.errors + result['4xx'] + result['5xx'] }
}
