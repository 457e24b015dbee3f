import { maxFailures, toldAtOnce } from '../src/http/limits/failed-authentications.ts'
import { newToken } from '../src/values/token.ts'
import { type Answer, requestsTo, startVerso } from '../test/harness/harness.ts'
import { trial } from './harness/trial.ts'
import { burst, type Nodes, startNodes } from './limits/bursts.ts'
import { sizeEdges, wrongAt, wrongCounts } from './limits/size-edges.ts'

const limit = 60
/** Requests at once: fewer than the 500 that are never refused for having come together (docs/decisions/0038-slow-readers.md). */
const wave = { invalid: 400, valid: 15 }

trial({
  name: 'limits-hold',
  promise:
    'All nodes together admit no more requests of a key in a minute than its limit, and nobody else can use up what a valid key has.',
  over: 'engines',
  sizes: {
    test: { nodes: 2, bursts: 1, strangers: 3, failures: 100 },
    short: { nodes: 3, bursts: 4, strangers: 10, failures: 300 },
    full: { nodes: 5, bursts: 40, strangers: 50, failures: 1_000 },
  },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, random, figure, note }) {
    const nodes = await startNodes(engine, size.nodes, limit)
    const admitted: number[] = []
    for (let i = 0; i < size.bursts; i++) {
      const replace = () => (i % 10 === 1 && random.fraction() < 0.5 ? nodes.replace(random.int(nodes.urls.length)) : Promise.resolve())
      admitted.push(await burst({ nodes, limit, random, meanwhile: replace }))
    }
    const failed = await failedAuthentications(nodes, size.strangers, size.failures)
    const verso = await startVerso(engine)
    const faults = [...(await wrongCounts(verso))]
    for (const edge of sizeEdges)
      for (const sent of [edge.at, edge.beyond]) faults.push(...[(await wrongAt(edge, sent, verso)) ?? []].flat())
    for (const fault of faults) note(fault)
    figure('minutes with more than twice the limit', admitted.filter((count) => count > 2 * limit).length, { exactly: 0 })
    figure('minutes with more than the limit', admitted.filter((count) => count > limit).length, { exactly: 0 })
    figure('valid keys refused for failures of others', failed.validRefused, { exactly: 0 })
    figure(`failures answered 401 beyond ${failuresOver(nodes.urls.length)} of an address`, failed.beyond, { exactly: 0 })
    figure('sizes and counts that are not refused one beyond their limit, or not accepted at it', faults.length, { exactly: 0 })
    figure('nodes', nodes.urls.length)
    figure(`minutes tried, each with ${3 * limit} requests for ${limit}`, admitted.length)
    figure(`fewest admitted of ${limit}`, Math.min(...admitted))
    figure('failed authentications', size.strangers * size.failures)
    figure('sizes and counts tried', sizeEdges.length + 2)
  },
  controls: {
    async 'a minute that is forgotten lets more through'({ engine, random }) {
      const nodes = await startNodes(engine, 2, limit)
      // On SQLite the minute is in memory, and a service that is started again has a new one.
      if (engine.name !== 'PostgreSQL') {
        const again = await startNodes(engine, 1, limit)
        return (await burst({ nodes, limit, random })) + (await burst({ nodes: again, limit, random })) > limit ? 1 : 0
      }
      const forget = async () => {
        await nodes.first.installation.engine.write((tx) => tx.deleteFrom('rate_windows').execute())
      }
      return (await burst({ nodes, limit, random, meanwhile: forget })) > limit ? 1 : 0
    },
    async 'a size that is one beyond its limit is seen where it is accepted'({ engine }) {
      const verso = await startVerso(engine)
      const wrong = await Promise.all(sizeEdges.map((edge) => wrongAt(edge, { ...edge.at, expected: edge.beyond.expected }, verso)))
      return wrong.filter((each) => each !== undefined).length
    },
  },
})

/** Nodes tell each other of so many at once. */
const failuresOver = (nodes: number) => maxFailures + (nodes > 1 ? nodes * toldAtOnce : 0)

/** Strangers send keys that are not valid, while valid keys are used from the same addresses. */
async function failedAuthentications({ urls, newKey }: Nodes, strangers: number, failures: number) {
  let validRefused = 0
  let beyond = 0
  for (let stranger = 0; stranger < strangers; stranger++) {
    const headers = { 'x-forwarded-for': stranger % 2 === 0 ? `203.0.113.${stranger}` : `2001:db8:0:${stranger}::1` }
    const key = await newKey()
    const valid = urls.map((url) => requestsTo(url, key))
    const invalid = urls.map((url) => requestsTo(url, ''))
    const answers: Answer[] = []
    const used: Answer[] = []
    for (let sent = 0; sent < failures; sent += wave.invalid) {
      const keys = Array.from({ length: Math.min(wave.invalid, failures - sent) }, (_, i) => invalidKey(sent + i))
      const [failed, admitted] = await Promise.all([
        Promise.all(keys.map((key, i) => at(invalid, i).get('/v1/posts', { key, headers }))),
        Promise.all(Array.from({ length: wave.valid }, (_, i) => at(valid, i).get('/v1/posts', { headers }))),
      ])
      answers.push(...failed)
      used.push(...admitted)
    }
    used.push(await at(valid, stranger).get('/v1/posts', { headers }))
    beyond += Math.max(0, answers.filter(({ status }) => status === 401).length - failuresOver(urls.length))
    validRefused += used.filter(({ status }) => status !== 200).length
  }
  return { validRefused, beyond }
}

/** One after the other, again and again. */
function at<T>(nodes: readonly T[], i: number): T {
  const node = nodes[i % nodes.length]
  if (node === undefined) throw new Error('there is no node')
  return node
}

function invalidKey(i: number): string {
  return i % 2 === 0 ? `mistyped${i}` : newToken('verso_live_', (bytes) => new Uint8Array(bytes).fill(i))
}
