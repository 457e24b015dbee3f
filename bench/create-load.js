// Creates posts over HTTP: wrk where it is on the machine, else autocannon.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const run = promisify(execFile)
const hasWrk = spawnSync('wrk', ['--version']).error === undefined
const content = 'Content that people read, in paragraphs of some length. '.repeat(37)

/** The post that is created again and again; `title` tells one from the other. */
export function newPost(title) {
  return { title, content, tags: ['tag 1', 'kind 2'] }
}

/** Creates per second, the 99th percentile of how long one took, and CPU microseconds of the server for each. */
export async function createLoad(server, { key, clients, seconds = 2, name }) {
  const before = server.cpuSeconds()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { requests, p99Ms, errors } = await (hasWrk ? withWrk : withAutocannon)(server.url, { headers, clients, seconds, name })
  if (errors > 0) throw new Error(`${errors} creates were answered wrongly`)
  return { requests, perSecond: requests / seconds, p99Ms, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}

/** Creates posts until the code that does it has been compiled: the first thousands take several times as long. */
export async function warmUp(server, key) {
  const [enough, mostSeconds] = [4_000, 10]
  for (let seconds = 0, requests = 0; seconds < mostSeconds && requests < enough; seconds++)
    requests += (await createLoad(server, { key, clients: 64, seconds: 1, name: `Warm ${seconds}` })).requests
}

async function withWrk(url, { headers, clients, seconds, name }) {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const script = join(folder, 'create.lua')
  const [start, end] = JSON.stringify(newPost('\u0000')).split('\\u0000')
  const table = Object.entries(headers).map(([field, value]) => `[${JSON.stringify(field)}]=${JSON.stringify(value)}`)
  writeFileSync(
    script,
    `local i=0\nlocal h={${table}}\nlocal s,e=[==[${start}]==],[==[${end}]==]\n` +
      `function request() i=i+1 return wrk.format("POST","/v1/posts",h,s.."${name} "..i..e) end\n` +
      'function done(s,l) io.write(string.format("\\nRESULT %d %d %d\\n",s.requests,l:percentile(99),s.errors.status+s.errors.connect+s.errors.read)) end\n',
  )
  const { stdout } = await run('wrk', ['-t1', `-c${clients}`, `-d${seconds}s`, '-s', script, url], { maxBuffer: 1 << 24 })
  rmSync(folder, { recursive: true })
  const [, requests, p99, errors] = /RESULT (\d+) (\d+) (\d+)/.exec(stdout)
  return { requests: Number(requests), p99Ms: Number(p99) / 1_000, errors: Number(errors) }
}

async function withAutocannon(url, { headers, clients, seconds, name }) {
  const body = JSON.stringify(newPost(`${name} [<id>]`))
  const asked = { method: 'POST', headers, body, idReplacement: true }
  const result = await autocannon({ url: `${url}/v1/posts`, connections: clients, duration: seconds, ...asked })
  return { requests: result.requests.total, p99Ms: result.latency.p99, errors: result.errors + result['4xx'] + result['5xx'] }
}
