import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DatabaseAddress } from '../src/app/config.ts'
import type { Engine } from '../src/database/engine.ts'
import { engines, type TestEngine } from '../test/harness/databases.ts'
import { requestsTo } from '../test/harness/harness.ts'
import { addressText, type Served, serve, start, verso } from '../test/harness/program.ts'
import { backUp, restore } from '../test/maintenance/backup/backup-fixture.ts'
import { withEngine } from '../test/maintenance/move/move-fixture.ts'
import { startPacedWrites } from './backup/paced-writes.ts'
import { damage, isWhole, type Kept, lostIn, served, takenForValid, writeAndKeep } from './backup/restored.ts'
import { trialFolder } from './backup/upgrades.ts'
import { trial } from './harness/trial.ts'

const writesPerSecond = 200

/** `verso serve` on a database of its own, and a second project in which nobody but the trial writes. */
async function startService(engine: TestEngine) {
  const database = await engine.create()
  const { address } = database
  const cwd = trialFolder()
  const node: Served = await serve(addressText(address), { cwd, env: { VERSO_LOG_LEVEL: 'error' } })
  const secret = /verso_live_\w+/.exec(node.stdout())?.[0] ?? ''
  const option = ['--database', addressText(address)]
  await verso(['project', 'create', 'quiet', ...option], { cwd })
  const created = await verso(['key', 'create', '--project', 'quiet', '--kind', 'secret', '--name', 'trial', ...option], { cwd })
  const quietKey = created.stdout.trim()
  const quiet = requestsTo(node.url, quietKey)
  await quiet.post('/v1/posts', { title: 'older than every backup' })
  const stop = async () => {
    node.signal('SIGTERM')
    await node.ended
    await database.drop()
  }
  return {
    address,
    cwd,
    option,
    stop,
    service: { url: node.url, key: secret },
    api: requestsTo(node.url, secret),
    quietKey,
    quiet,
  }
}

const otherThan = (engine: TestEngine) => engines.find(({ name }) => name !== engine.name) ?? engine

/** Runs the work with an empty database of the engine. */
async function withEmpty<T>(engine: TestEngine, work: (address: DatabaseAddress) => Promise<T>): Promise<T> {
  const { address, drop } = await engine.createEmpty()
  try {
    return await work(address)
  } finally {
    await drop()
  }
}

const newestIn = (folder: string) =>
  join(
    folder,
    readdirSync(folder)
      .filter((name) => /^verso-.*\.gz$/.test(name))
      .sort()
      .at(-1) ?? 'none',
  )

trial({
  name: 'backups-are-whole',
  promise:
    'A backup made while the service writes has every write that was acknowledged before, restores on either engine, and no ETag or cursor issued after it is accepted there.',
  over: 'engines',
  sizes: { short: { backups: 1, kills: 2, damages: 10 }, full: { backups: 20, kills: 20, damages: 200 } },
  minutes: { short: 4, full: 30 },
  async run({ size: { backups, kills, damages }, engine, random, figure }) {
    const { cwd, option, stop, service, quietKey, quiet } = await startService(engine)
    const folder = join(cwd, 'backups')
    const writes = startPacedWrites(service, writesPerSecond)
    const counts = { made: 0, restored: 0, lost: 0, unsound: 0, valid: 0, kept: 0, halves: 0, undetected: 0 }
    const started = performance.now()
    let [writtenMeanwhile, msMeanwhile] = [0, 0]
    for (let number = 0; number < backups; number++) {
      const acknowledged = writes.acknowledged()
      const [countBefore, timeBefore] = [writes.count(), performance.now()]
      const made = await verso(['backup', folder, '--keep', '0h', '--json', ...option], { cwd })
      writtenMeanwhile += writes.count() - countBefore
      msMeanwhile += performance.now() - timeBefore
      if (made.code === 0) counts.made++
      if (readdirSync(folder).length !== 1) counts.kept++
      const file = newestIn(folder)
      const later: Kept[] = [await writeAndKeep(quiet, `later ${number}`)]
      for (const target of number === 0 ? [engine, otherThan(engine)] : [otherThan(engine)])
        await withEmpty(target, async (to) => {
          const restored = await verso(['restore', file, '--database', addressText(to)], { cwd })
          if (restored.code !== 0) return
          counts.restored++
          counts.lost += await lostIn(to, acknowledged)
          if ((await verso(['check', '--database', addressText(to)], { cwd })).code !== 0) counts.unsound++
          await served(to, quietKey, async (restoredApi) => {
            later.push(await writeAndKeep(restoredApi, `restored ${number} ${target.name}`))
            counts.valid += await takenForValid(restoredApi, later.slice(0, -1))
          })
        })
    }
    for (let killed = 0; killed < kills; killed++) {
      const before = new Set(readdirSync(folder))
      const running = start(['backup', folder, ...option])
      let hasEnded = false
      void running.ended.then(() => {
        hasEnded = true
      })
      // From the moment on when it has begun to write.
      while (!hasEnded && readdirSync(folder).every((name) => before.has(name))) await pause(1)
      await pause(random.int(2) * random.fraction() * 100)
      running.signal('SIGKILL')
      await running.ended
    }
    let whole: string | undefined
    for (const name of readdirSync(folder).filter((each) => each.startsWith('verso-'))) {
      if (await isWhole(join(folder, name))) whole = join(folder, name)
      else counts.halves++
    }
    await writes.stop()
    const secondsUnderLoad = (performance.now() - started) / 1_000
    // Where none is whole, the figures say so.
    if (whole !== undefined) for (let i = 0; i < damages; i++) if (await isWhole(damage(whole, random))) counts.undetected++
    await stop()
    figure('backups', backups)
    figure('writes per second meanwhile', (writtenMeanwhile * 1_000) / msMeanwhile, { atLeast: writesPerSecond * 0.9 })
    figure('writes in all', writes.count())
    figure('seconds under load', secondsUnderLoad)
    figure('backups that failed', backups - counts.made, { exactly: 0 })
    figure('restores that failed', backups + 1 - counts.restored, { exactly: 0 })
    figure('acknowledged writes lost', counts.lost, { exactly: 0 })
    figure('restored databases in which verso check finds something', counts.unsound, { exactly: 0 })
    figure('ETags and cursors issued after the backup that were still accepted', counts.valid, { exactly: 0 })
    figure('folders that --keep left wrong', counts.kept, { exactly: 0 })
    figure('killed backups', kills)
    figure('halves under the name of a backup', counts.halves, { exactly: 0 })
    figure('damaged backups', damages)
    figure('damaged backups found whole', counts.undetected, { exactly: 0 })
    figure('writes refused', writes.failures(), { exactly: 0 })
  },
  controls: {
    async 'rows that are read without a snapshot are no backup'({ engine }) {
      const { address, cwd, service, stop } = await startService(engine)
      const writes = startPacedWrites(service, writesPerSecond)
      await pause(300)
      const withoutSnapshot = (real: Engine): Engine => ({ ...real, snapshot: (work) => work(real.db) })
      let refused = 0
      // Now and then nothing is written between two reads that belong together.
      for (let tries = 0; tries < 5 && refused === 0; tries++)
        await backUp(address, join(cwd, 'b.gz'), { engine: withoutSnapshot, watch: { begins: () => undefined } }).catch(() => refused++)
      await writes.stop()
      await stop()
      return refused
    },
    async 'writes made after the backup are seen as lost'({ engine }) {
      const { address, cwd, api, stop } = await startService(engine)
      const file = join(cwd, 'b.gz')
      await backUp(address, file)
      const { body } = await api.post('/v1/posts', { title: 'later' })
      await stop()
      return withEmpty(engine, async (to) => {
        await restore(file, to)
        return lostIn(to, new Map([[body.id, 1]]))
      })
    },
    async 'an epoch that is kept is seen: ETags and cursors issued later are accepted'({ engine }) {
      const { address, cwd, quiet, quietKey, stop } = await startService(engine)
      const file = join(cwd, 'b.gz')
      await backUp(address, file)
      const kept = await writeAndKeep(quiet, 'later')
      const epoch = await withEngine(
        address,
        async ({ db }) => (await db.selectFrom('installation').select('epoch').executeTakeFirstOrThrow()).epoch,
      )
      await stop()
      return withEmpty(engine, async (to) => {
        await restore(file, to)
        await withEngine(to, ({ alone }) => alone((tx) => sql`update installation set epoch = ${epoch}`.execute(tx)))
        return served(to, quietKey, async (api) => {
          await writeAndKeep(api, 'restored')
          return takenForValid(api, [kept])
        })
      })
    },
  },
})
