import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { isId } from '../src/values/ids.ts'
import { openLedger, writeUntilCut } from './disk/acknowledged-writes.ts'
import { DiskImage, type DiskOperation, readOperations } from './disk/disk-image.ts'
import { findingsOf, makeInstallation } from './disk/installation.ts'
import { type Client, clientOf, launch, scratchFolder } from './disk/service.ts'
import { buildShim, shimmed, withoutShim } from './disk/shim.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly writes: number
  readonly cuts: number
}

/** An acknowledged write, and how much had been recorded when its answer came. */
interface Acknowledged {
  readonly id: string
  readonly version: number
  readonly at: number
}

/** What a service did to its disk while eight writers wrote, and what it told them. */
interface Recording {
  readonly base: ReadonlyMap<string, Buffer>
  readonly operations: readonly DiskOperation[]
  readonly acknowledged: readonly Acknowledged[]
}

async function record(size: Size, random: SeededRandom): Promise<Recording | undefined> {
  const [scratch, data] = [scratchFolder(), scratchFolder()]
  const shim = buildShim(scratch)
  if (shim === undefined) return undefined
  const path = join(data, 'verso.db')
  const key = await makeInstallation({ kind: 'sqlite', path }, 50)
  const base = new Map([[path, readFileSync(path)]])
  const recorded = join(scratch, 'record')
  const service = await launch(`sqlite:${path}`, shimmed(shim, data, { record: recorded }))
  const acknowledged: Acknowledged[] = []
  const plain = clientOf(service.url, key)
  const send: typeof plain = async (method, to, body) => {
    const reply = await plain(method, to, body)
    if (reply.status < 300 && reply.body?.id && isId('post', reply.body.id))
      acknowledged.push({ id: reply.body.id, version: reply.body.version, at: statSync(recorded).size })
    return reply
  }
  const ledger = openLedger()
  const more = () => ledger.acknowledged < size.writes
  const writers = Array.from({ length: 8 }, (_, i) => writeUntilCut(send, ledger, random.fork(`writer ${i}`), i, more))
  for (let n = 0; more(); n++) await reassign(send, n)
  await Promise.all(writers)
  await service.kill('SIGKILL')
  return { base, operations: readOperations(recorded), acknowledged }
}

/** Deletes a category, and reads the post that has another one since. That transaction runs in a thread and flushes by itself. */
async function reassign(send: Client, n: number): Promise<void> {
  const [from, to] = [`from-${n}`, `to-${n}`]
  for (const slug of [from, to]) await send('POST', '/v1/admin/categories', { name: slug, slug })
  const { body } = await send('POST', '/v1/posts', { title: `Post of ${from}`, categoryId: from })
  await send('DELETE', `/v1/admin/categories/${from}?reassign_to=${to}`)
  await send('GET', `/v1/posts/${body.id}`)
}

interface Cut {
  readonly lost: number
  readonly broken: boolean
}

/** Compares what is left after a power cut with what had been acknowledged before it. */
async function examine(
  folder: string,
  image: ReadonlyMap<string, Buffer>,
  told: readonly Acknowledged[],
  isThorough: boolean,
): Promise<Cut> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [path, bytes] of image)
    if (/verso\.db(?:-wal)?$/.test(path)) writeFileSync(join(folder, path.endsWith('-wal') ? 'verso.db-wal' : 'verso.db'), bytes)
  const path = join(folder, 'verso.db')
  try {
    const database = new Database(path)
    const versions = new Map(database.prepare<[], [string, number]>('select id, version from posts').raw().all())
    const lost = told.filter(({ id, version }) => (versions.get(id) ?? 0) < version).length
    const isSound = database.pragma('integrity_check', { simple: true }) === 'ok'
    database.close()
    return { lost, broken: !isSound || (isThorough && (await findingsOf({ kind: 'sqlite', path })).length > 0) }
  } catch {
    return { lost: told.length, broken: true }
  }
}

/** Cuts the power at so many moments after the first acknowledged write, at every other one when an answer has just come. */
async function cutPower(
  { base, operations, acknowledged }: Recording,
  size: Size,
  random: SeededRandom,
  ignores?: (operation: DiskOperation) => boolean,
) {
  const folder = join(scratchFolder(), 'cut')
  const image = new DiskImage(new Map([...base].map(([path, bytes]) => [path, Buffer.from(bytes)])), ignores)
  const first = operations.findIndex(({ end }) => end >= (acknowledged[0]?.at ?? 0))
  const anywhere = () => first + random.int(operations.length - first)
  const atAnswer = () => {
    const { at } = random.pick(acknowledged)
    return operations.findIndex(({ end }) => end >= at)
  }
  const cuts = new Set(Array.from({ length: size.cuts }, (_, i) => (i % 2 ? atAnswer() : anywhere())))
  const sum = { cuts: 0, lost: 0, broken: 0 }
  for (const [i, operation] of operations.entries()) {
    image.apply(operation)
    if (!cuts.has(i)) continue
    const told = acknowledged.filter(({ at }) => at <= operation.end)
    const { lost, broken } = await examine(folder, image.afterPowerCut(random.fork(`cut ${i}`)), told, sum.cuts % 10 === 0)
    sum.cuts++
    sum.lost += lost
    sum.broken += broken ? 1 : 0
  }
  return sum
}

trial<Size>({
  name: 'power-cut',
  promise: 'On SQLite, a write that was acknowledged survives a power cut, whatever the disk has kept of what was not flushed.',
  over: 'once',
  covers: 'SQLite',
  sizes: { test: { writes: 60, cuts: 10 }, short: { writes: 200, cuts: 40 }, full: { writes: 2_000, cuts: 400 } },
  minutes: { short: 2, full: 10 },
  async run({ size, random, figure, skip }) {
    const recording = (await record(size, random)) ?? skip(withoutShim)
    const { cuts, lost, broken } = await cutPower(recording, size, random)
    figure('acknowledged writes lost', lost, { exactly: 0 })
    figure('databases that are not sound afterwards', broken, { exactly: 0 })
    figure('power cuts', cuts)
    figure('acknowledged writes', recording.acknowledged.length)
    figure('writes, truncations and flushes of the disk', recording.operations.length)
  },
  controls: {
    async 'without our flush, acknowledged writes are seen as lost'({ size, random, skip }) {
      const recording = (await record(size, random)) ?? skip(withoutShim)
      // Our flush goes through a descriptor of its own, which nothing is ever written to.
      const written = new Set(recording.operations.filter(({ kind }) => kind === 'write').map(({ fd }) => fd))
      const { lost } = await cutPower(recording, size, random, ({ fd }) => !written.has(fd))
      return lost
    },
  },
})
