import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { pause } from './delivery/kept-alive.ts'
import { findingsOf, makeInstallation } from './disk/installation.ts'
import { type Client, clientOf, launch, type Reply, type Service, scratchFolder } from './disk/service.ts'
import { buildShim, type Control, type errors, openControl, shimmed, withoutShim } from './disk/shim.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly operations: number
}

/** How a disk fails: with which error, and once or until it is healed. */
const modes = [
  ['EIO', false],
  ['EIO', true],
  ['ENOSPC', false],
  ['ENOSPC', true],
] as const satisfies readonly (readonly [keyof typeof errors, boolean])[]
type Mode = (typeof modes)[number]

const seen = {
  faults: 0,
  falseSuccesses: 0,
  changedByRefused: 0,
  refusedReads: 0,
  notHealed: 0,
  wrongCodes: 0,
  restarts: 0,
}
type Seen = { -readonly [K in keyof typeof seen]: number }

interface Rig {
  readonly control: Control
  readonly start: () => Promise<Service>
  readonly key: string
  readonly path: string
  service: Service
}

async function openRig(): Promise<Rig | undefined> {
  const [scratch, data] = [scratchFolder(), scratchFolder()]
  const shim = buildShim(scratch)
  if (shim === undefined) return undefined
  const path = join(data, 'verso.db')
  const key = await makeInstallation({ kind: 'sqlite', path }, 20)
  const control = openControl(scratch)
  onTestFinished(() => control.close())
  const start = () => launch(`sqlite:${path}`, shimmed(shim, data, { control: control.path }))
  return { control, start, key, path, service: await start() }
}

/** How long a service may take to end after a failed flush. */
const endsWithinMs = 10_000

const codesOfRefusals = ['storage_full', 'database_unavailable', 'outcome_unknown']

/** One operation, whose every write and flush fails in turn, until it passes with no fault left. */
async function failEachOperation(rig: Rig, [error, forGood]: Mode, operation: Operation): Promise<Seen> {
  const sum = { ...seen }
  const { control, key } = rig
  for (let distance = 1; ; distance++) {
    const send = clientOf(rig.service.url, key)
    control.failAfter(distance, error, forGood)
    const reply = await operation.run(send)
    const wasHit = control.read('failed') > 0
    const isAcknowledged = reply.status >= 200 && reply.status < 300
    if (isAcknowledged && control.read('flushesFailed') > 0) sum.falseSuccesses++
    if (wasHit) await readOn(rig, send, sum)
    control.heal()
    if (!wasHit && isAcknowledged) return sum
    sum.faults++
    if (reply.status === 0 ? !(await saysFlushFailed(rig)) : !isAcknowledged && !codesOfRefusals.includes(reply.body?.code))
      sum.wrongCodes++
    await recover(rig, sum)
    const after = await operation.isDone(clientOf(rig.service.url, key))
    if (isAcknowledged) {
      if (!after) sum.falseSuccesses++
      return sum
    }
    // Without an answer, nothing was said of the outcome.
    if (after && reply.status !== 0 && reply.body?.code !== 'outcome_unknown') sum.changedByRefused++
    if (after) return sum
  }
}

const flushFailed = 'a flush to the disk failed'

/** Whether the service says that a flush failed. What it says can arrive after its answer. */
async function saysFlushFailed({ service }: Rig): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < endsWithinMs && !service.output().includes(flushFailed); waitedMs += 50) await pause(50)
  return service.output().includes(flushFailed)
}

/** Reads go on, unless a flush has failed. */
async function readOn(rig: Rig, send: Client, sum: Seen): Promise<void> {
  const { status } = await send('GET', '/v1/posts/seed-1')
  if (status !== 200 && !(await saysFlushFailed(rig))) sum.refusedReads++
}

/** After a failed flush the service ends by itself and is started again; after all else, the next write works. */
async function recover(rig: Rig, sum: Seen): Promise<void> {
  if (rig.service.output().includes(flushFailed)) {
    const slow = new Promise<string>((resolve) => setTimeout(resolve, endsWithinMs, 'still running').unref())
    if ((await Promise.race([rig.service.ended, slow])) !== 1) sum.notHealed++
    await rig.service.kill('SIGKILL')
    sum.restarts++
    rig.service = await rig.start()
  }
  const { status } = await clientOf(rig.service.url, rig.key)('PATCH', '/v1/posts/seed-2', {
    excerpt: `Healed ${sum.faults} ${Math.random()}`,
  })
  if (status === 200) return
  // A flush that began before the disk was healed may have failed after it.
  if (!(await saysFlushFailed(rig))) sum.notHealed++
  else await recover(rig, sum)
}

interface Operation {
  run(send: Client): Promise<Reply>
  /** Whether its change is there. */
  isDone(send: Client): Promise<boolean>
}

/** A create, a change or a deletion, of its own post, or the deletion of the category of that post. */
async function prepareOperation(send: Client, random: SeededRandom, name: string): Promise<Operation> {
  const find = async (by: Client) => by('GET', `/v1/posts/${name}`)
  const content = 'y'.repeat(random.int(2_000))
  if (random.fraction() < 0.4)
    return {
      run: (by) => by('POST', '/v1/posts', { title: name, slug: name, content, tags: ['a', 'b'] }),
      isDone: async (by) => (await find(by)).status === 200,
    }
  if (random.fraction() < 0.3) {
    const [from, to] = [`from-${name}`, `to-${name}`]
    for (const slug of [from, to]) await send('POST', '/v1/admin/categories', { name: slug, slug })
    await send('POST', '/v1/posts', { title: name, slug: name, categoryId: from })
    return {
      // In a thread, with a commit that flushes by itself.
      run: (by) => by('DELETE', `/v1/admin/categories/${from}?reassign_to=${to}`),
      isDone: async (by) => (await find(by)).body?.category?.slug === to,
    }
  }
  await send('POST', '/v1/posts', { title: name, slug: name, tags: ['a'] })
  if (random.fraction() < 0.3)
    return { run: (by) => by('DELETE', `/v1/posts/${name}`), isDone: async (by) => (await find(by)).status === 404 }
  return {
    run: (by) => by('PATCH', `/v1/posts/${name}`, { title: `${name} changed`, content }),
    isDone: async (by) => (await find(by)).body?.title === `${name} changed`,
  }
}

interface Full {
  readonly falseSuccesses: number
  readonly refusals: number
  readonly otherCodes: number
  readonly refusedReads: number
  readonly notHealed: number
  readonly findings: readonly string[]
}

/** A file system of 6 MB that really is full. Needs root. */
async function fillDisk(random: SeededRandom): Promise<Full | undefined> {
  const folder = join(scratchFolder(), 'small')
  mkdirSync(folder)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=0700', 'tmpfs', folder]).status !== 0) return undefined
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  const path = join(folder, 'verso.db')
  const filler = join(folder, 'filler')
  const key = await makeInstallation({ kind: 'sqlite', path }, 10)
  writeFileSync(filler, Buffer.alloc(2_000_000))
  let service = await launch(`sqlite:${path}`)
  let send = clientOf(service.url, key)
  const kept: string[] = []
  let [refusals, otherCodes, refusedReads, notHealed] = [0, 0, 0, 0]
  const write = async (i: number) => {
    const { status, body } = await send('POST', '/v1/posts', { title: `Post ${i}`, content: 'z'.repeat(20_000 + random.int(60_000)) })
    if (status === 201) kept.push(body.id)
    else if (body?.code === 'storage_full') refusals++
    else otherCodes++
    if ((await send('GET', '/v1/posts?limit=1&sort=title')).status !== 200) refusedReads++
    return status
  }
  for (let i = 0; i < 400 && refusals < 30; i++) await write(i)
  // Killed and started again while the disk is full, reads still go on.
  await service.kill('SIGKILL')
  const startedFull = await launch(`sqlite:${path}`).catch(() => undefined)
  if (!startedFull) {
    refusedReads++
    rmSync(filler)
  }
  service = startedFull ?? (await launch(`sqlite:${path}`))
  send = clientOf(service.url, key)
  if ((await send('GET', '/v1/posts/seed-1')).status !== 200) refusedReads++
  await write(1_000)
  rmSync(filler, { force: true })
  if ((await write(1_001)) !== 201) notHealed++
  let falseSuccesses = 0
  for (const id of kept) if ((await send('GET', `/v1/posts/${id}`)).status !== 200) falseSuccesses++
  if ((await service.kill('SIGTERM')) !== 0) notHealed++
  return { falseSuccesses, refusals, otherCodes, refusedReads, notHealed, findings: await findingsOf({ kind: 'sqlite', path }) }
}

trial<Size>({
  name: 'failing-disk',
  promise:
    'A disk that fails or is full on SQLite makes no write look made, breaks nothing, stops no reads, and is got over without help or by a restart.',
  over: 'once',
  covers: 'SQLite',
  // Each operation under each of four kinds of failure: 200 take about an hour.
  sizes: { short: { operations: 2 }, full: { operations: 200 } },
  minutes: { short: 3, full: 90 },
  async run({ size, random, figure, note, skip }) {
    const rig = (await openRig()) ?? skip(withoutShim)
    const sum = { ...seen }
    for (let i = 0; i < size.operations; i++)
      for (const [kind, mode] of modes.entries()) {
        // The same operation, on a post of its own.
        const operation = await prepareOperation(clientOf(rig.service.url, rig.key), random.fork(`operation ${i}`), `post-${i}-${kind}`)
        const one = await failEachOperation(rig, mode, operation)
        for (const name of Object.keys(sum) as (keyof Seen)[]) sum[name] += one[name]
      }
    await rig.service.kill('SIGTERM')
    const findings = await findingsOf({ kind: 'sqlite', path: rig.path })
    const full = await fillDisk(random)
    figure('acknowledged writes that were not made', sum.falseSuccesses + (full?.falseSuccesses ?? 0), { exactly: 0 })
    figure('refused writes that were made', sum.changedByRefused, { exactly: 0 })
    figure('refusals with another code', sum.wrongCodes + (full?.otherCodes ?? 0), { exactly: 0 })
    figure('reads that were refused though no flush had failed', sum.refusedReads + (full?.refusedReads ?? 0), { exactly: 0 })
    figure('services that did not recover with the disk', sum.notHealed + (full?.notHealed ?? 0), { exactly: 0 })
    figure('findings of verso check at the end', findings.length + (full?.findings.length ?? 0), { exactly: 0 })
    figure('writes and flushes that failed', sum.faults)
    figure('operations, each under all four kinds of failure: EIO and ENOSPC, once and for good', size.operations)
    figure('restarts after a failed flush', sum.restarts)
    if (full) figure('writes refused by a file system that was really full', full.refusals)
    else note('a file system that is really full was not tried: mounting one needs root')
  },
  controls: {
    async 'a service that acknowledges what it did not make, and makes what it refused, is seen by the counters of the trial'({
      random,
      skip,
    }) {
      const rig = (await openRig()) ?? skip(withoutShim)
      const send = clientOf(rig.service.url, rig.key)
      const [one, other] = [await prepareOperation(send, random, 'one'), await prepareOperation(send, random, 'other')]
      const { falseSuccesses } = await failEachOperation(rig, ['EIO', true], {
        ...one,
        run: async (by) => ({ ...(await one.run(by)), status: 200 }),
      })
      const { changedByRefused } = await failEachOperation(rig, ['EIO', false], {
        ...other,
        run: async (by) => {
          rig.control.heal()
          await other.run(by)
          return { status: 503, body: { code: 'storage_full' } }
        },
      })
      // And a disk that fails for good is seen to be one.
      rig.control.failAfter(1, random.pick(['EIO', 'ENOSPC']), true)
      const refused = await clientOf(rig.service.url, rig.key)('POST', '/v1/posts', { title: 'refused' })
      rig.control.heal()
      await rig.service.kill('SIGKILL')
      return falseSuccesses > 0 && refused.status === 503 ? changedByRefused : 0
    },
  },
})
