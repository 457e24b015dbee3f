import type { TestEngine } from '../../test/harness/databases.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { anyRead, Memory, type PublicRead } from './public-reads.ts'
import { startTwins, type TwinWorld } from './twin-worlds.ts'
import { textOf, told } from './wire.ts'
import {
  CommonThings,
  instantOf,
  type PlannedWrite,
  planCommonWrite,
  planHiddenWrite,
  planTurn,
  writeInBoth,
  writeInOne,
} from './world-writes.ts'

/** One thing that happens. It is decided by its number alone, so that others can be left out. */
export interface Moment {
  readonly kind: 'read' | 'common' | 'hidden' | 'turn' | 'time'
  readonly number: number
}

export interface Script {
  readonly engine: TestEngine
  readonly random: SeededRandom
  readonly moments: readonly Moment[]
}

/** A read that the two worlds answered differently, or one of them differently from memory. */
export interface Difference {
  /** Which moment of the script it was. */
  readonly at: number
  /** Everything that was asked, in order. */
  readonly history: readonly string[]
  readonly answers: readonly [string, string]
}

/** What a control does to a world on purpose. */
export interface Tampering {
  /** Reads the second world with another token. */
  readonly token?: (twin: TwinWorld, read: PublicRead) => string | null
  /** Runs in the second world before each read. */
  readonly before?: (twin: TwinWorld) => Promise<void>
}

export interface Replay {
  readonly reads: number
  /** Reads that were answered with something, or with 304 or 301. */
  readonly successes: number
  /** Writes in one world alone. */
  readonly hidden: number
  /** Posts that were renamed while they were hidden, and then published again. */
  readonly returned: number
  readonly difference: Difference | undefined
}

/** A script with so many reads, and writes between them. */
export function scriptOf(engine: TestEngine, random: SeededRandom, reads: number): Script {
  const kindOf = (number: number) => (number < 24 ? (number % 2 ? 'hidden' : 'common') : 'turn')
  const moments: Moment[] = Array.from({ length: 36 }, (_, number) => ({ kind: kindOf(number), number }))
  // In quiet times all posts are read into memory; in busy ones it is out of date again and again.
  let writesPerHundred = 10
  for (let left = reads; left > 0; ) {
    if (random.int(150) === 0) writesPerHundred = random.pick([1, 3, 10, 30])
    const isWrite = random.int(100) < writesPerHundred
    const kind = isWrite ? random.pick(['common', 'hidden', 'hidden', 'hidden', 'turn', 'turn', 'time'] as const) : 'read'
    if (kind === 'read') left--
    moments.push({ kind, number: moments.length })
  }
  return { engine, random: random.fork('moments'), moments }
}

const secondMs = 1_000
const dayMs = 24 * 3_600 * secondMs
const leaps = [secondMs, secondMs, 60 * secondMs, dayMs / 24, dayMs / 6, dayMs, 35 * dayMs]
const jobNames = ['settle', 'purge', 'purge-media', 'prune-answers', 'prune-changes', 'key-use']

/** Plays a script in two new worlds until a read is answered differently. */
export async function replay({ engine, random, moments }: Script, { token, before }: Tampering = {}): Promise<Replay> {
  const twins = await startTwins(engine)
  const [, second] = twins
  const common = new CommonThings()
  const memory = new Memory()
  const history: string[] = []
  const counts = { reads: 0, successes: 0, hidden: 0, returned: 0 }
  let ms = 0
  for (const [at, { kind, number }] of moments.entries()) {
    const draw = random.fork(`${kind} ${number}`)
    const step = { name: `${kind} ${number}`, ms }
    const now = new Date(instantOf(ms))
    if (kind === 'time') {
      ms += draw.pick(leaps)
      const names = jobNames.filter(() => draw.int(2) === 0)
      history.push(`the clock goes on to ${instantOf(ms)}, then: ${names}`)
      for (const twin of twins) await goOn(twin, { ...step, ms }, names)
    } else if (kind === 'common' || kind === 'turn') {
      const write = kind === 'common' ? planCommonWrite(draw, common, now) : planTurn(draw, common, now)
      history.push(`both: ${JSON.stringify(write)}`)
      await writeInBoth(twins, write, step, { common, memory })
      counts.returned = common.returned
    } else if (kind === 'hidden') {
      const twin = draw.pick(twins)
      const known = draw.int(3) === 0 ? memory.earlier(draw)?.read : undefined
      const isRead = known?.method === 'GET'
      const write: PlannedWrite = isRead ? { method: 'GET', path: known.path } : planHiddenWrite(draw, common, twin, now)
      if (isRead) memory.askNext(known)
      history.push(`${twin === second ? 'second' : 'first'} alone: ${JSON.stringify(write)}`)
      await writeInOne(twin, write, step, memory)
      counts.hidden++
    } else {
      const read = anyRead(draw, memory, now)
      history.push(`read: ${read.reader} ${read.method} ${read.path} ${JSON.stringify(read.headers ?? {})}`)
      const [one, other] = await Promise.all(
        twins.map(async (twin) => {
          const key = (twin === second && token?.(twin, read)) || twin.tokens[read.reader]
          if (twin === second) await before?.(twin)
          return twin.world.step(step.name, instantOf(ms), () => twin.wire({ ...read, key }))
        }),
      )
      if (!one || !other) throw new Error('there are two worlds')
      counts.reads++
      if (one.status < 400) counts.successes++
      if (told(one) !== told(other)) return { ...counts, difference: { at, history, answers: [told(one), told(other)] } }
      const fresh =
        number % 3 === 0 && one.status < 400
          ? await twins[0].wire({ ...read, path: unlike(read.path, draw), key: twins[0].tokens[read.reader] })
          : one
      if (textOf(fresh) !== textOf(one)) return { ...counts, difference: { at, history, answers: [told(one), told(fresh)] } }
      memory.learn(read, one)
    }
  }
  return { ...counts, difference: undefined }
}

async function goOn(
  { world }: TwinWorld,
  { name, ms }: { readonly name: string; readonly ms: number },
  names: readonly string[],
): Promise<void> {
  await world.step(name, instantOf(ms), async ({ app }) => {
    for (const job of app.jobs.filter((each) => names.includes(each.name))) await job.runOnce()
  })
}

/** A path that means the same and is written in another way, so that no answer is in memory under it. */
function unlike(path: string, random: SeededRandom): string {
  return random.int(2) === 0 ? path.replace('/v1/p', '/v1/%70') : `${path}${path.includes('?') ? '' : '?'}&`
}

/** Nobody waits longer for a smaller example. */
const maxShrinkingMs = 20_000

/** Leaves out moments as long as the worlds still differ. */
export async function smallest(script: Script, found: Difference): Promise<Difference> {
  let best = found
  let moments = script.moments.slice(0, found.at + 1)
  const until = performance.now() + maxShrinkingMs
  for (let size = Math.ceil(moments.length / 2); size >= 1 && performance.now() < until; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < moments.length - 1 && performance.now() < until; ) {
      const fewer = [...moments.slice(0, start), ...moments.slice(Math.min(start + size, moments.length - 1))]
      const { difference } = await replay({ ...script, moments: fewer }).catch(() => ({ difference: undefined }))
      if (difference) {
        best = difference
        moments = fewer.slice(0, difference.at + 1)
      } else start += size
    }
  }
  return best
}
