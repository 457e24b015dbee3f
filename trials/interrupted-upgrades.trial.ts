import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { DatabaseAddress } from '../src/app/config.ts'
import { verifyBackup } from '../src/maintenance/backup/backup.ts'
import { readLocal } from '../src/maintenance/backup/file-place.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { nextSchema } from '../test/harness/next-schema.ts'
import { backUp, quiet, restore } from '../test/maintenance/backup/backup-fixture.ts'
import { withEngine } from '../test/maintenance/move/move-fixture.ts'
import { digestsOf, fillWithRows, inspect, startUpgrade, trialFolder, type Upgrading } from './backup/upgrades.ts'
import { trial } from './harness/trial.ts'

/** Steps that whoever watches a whole upgrade has seen. */
const progress = [
  /^backing up before /m,
  /^backed up to /m,
  /^migrating to .* \(1 of 1\)$/m,
  /^making the search index: [\d,]+ of [\d,]+ posts$/m,
]

/** A database of so many rows, and a way to make more that are the same. */
async function prepare(engine: TestEngine, rows: number) {
  const folder = trialFolder()
  const first = await engine.create()
  await fillWithRows(first.address, rows)
  const before = await digestsOf(first.address)
  const original = join(folder, 'original.ndjson.gz')
  await backUp(first.address, original)
  await first.drop()
  const anew = async () => {
    const database = await engine.createEmpty()
    await restore(original, database.address)
    return database
  }
  return { folder, before, anew }
}

/** How many of the rows of an index that a search goes through are missing. */
async function postsNotFound(address: DatabaseAddress): Promise<number> {
  return withEngine(address, async ({ db }) => {
    const index = db.engine.invertedIndex === 'fts5' ? 'search_posts' : 'search_words'
    const statement = `select (select count(*) from posts) - (select count(*) from ${index}) as n`
    return Math.abs(Number((await sql.raw<{ n: number | string }>(statement).execute(db)).rows[0]?.n))
  })
}

trial({
  name: 'interrupted-upgrades',
  promise:
    'An upgrade that is killed at any moment is finished or undone by the next start, with nothing lost and a verified backup first.',
  over: 'engines',
  sizes: { short: { kills: 2, rows: 5_000 }, full: { kills: 100, rows: 100_000 } },
  minutes: { short: 4, full: 90 },
  async run({ size: { kills, rows }, engine, random, figure }) {
    const { folder, before, anew } = await prepare(engine, rows)
    const counts = { old: 0, new: 0, half: 0, halves: 0, before: 0, lost: 0, unfinished: 0, silent: 0, broken: 0, notFound: 0 }
    let database = await anew()
    const place = (number: number) => join(folder, `${number}/`)
    let number = 0
    /** Lets an upgrade run to its end. Returns its milliseconds. */
    const finish = async () => {
      const started = performance.now()
      const whole = startUpgrade(database.address, place(number))
      await Promise.race([whole.begun, whole.ended])
      const begunMs = performance.now() - started
      if ((await whole.ended) !== 0 || !whole.stdout().includes('done')) counts.unfinished++
      const ms = performance.now() - started
      const found = await inspect(database.address, before)
      if (found.schema !== 'new' || !found.isIndexed) counts.unfinished++
      counts.lost += found.lostTables
      counts.notFound += await postsNotFound(database.address)
      await database.drop()
      return { begunMs, ms, stdout: whole.stdout() }
    }
    const { begunMs, ms, stdout } = await finish()
    counts.silent += progress.filter((step) => !step.test(stdout)).length

    database = await anew()
    /** A moment in the middle of the migration at first; then after a random statement of it or, half as often, of what follows its beginning, or of the whole upgrade. */
    const momentOf = async ({ begun, said }: Upgrading, isFirst: boolean) => {
      if (isFirst) return said('statement 1\n')
      const kind = random.int(4)
      if (kind < 2) return said(`statement ${1 + random.int(nextSchema.statements.length)}\n`)
      if (kind === 2) await begun
      await pause(random.fraction() * (kind === 2 ? ms - begunMs : ms))
    }
    for (let killed = 0; killed < kills; ) {
      const upgrading = startUpgrade(database.address, place(number))
      const hasEnded = await Promise.race([upgrading.ended.then(() => true), momentOf(upgrading, killed === 0).then(() => false)])
      if (!hasEnded) upgrading.kill()
      // Null: the kill ended it.
      const wasKilled = (await upgrading.ended) === null
      if (wasKilled) killed++
      else counts.before++
      const found = await inspect(database.address, before)
      if (wasKilled) counts[found.schema]++
      if (found.schema === 'half') counts.halves++
      counts.lost += found.lostTables
      // Several kills of one upgrade, and then a start that is left alone.
      if (killed < kills && found.schema === 'old' && random.fraction() < 0.85) continue
      await finish()
      number++
      if (killed < kills) database = await anew()
    }
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) => /\/verso-[^/]*\.gz$/.test(each)))
      await verifyBackup(readLocal(join(folder, name)), quiet).catch(() => counts.broken++)
    figure('upgrades that were killed', kills)
    figure('rows', rows)
    figure('killed, and left the old schema', counts.old)
    figure('killed, and had the new one already', counts.new)
    figure('upgrades that ended before they were killed, and count as none', counts.before)
    figure('partly migrated schemas', counts.halves, { exactly: 0 })
    figure('tables with other rows', counts.lost, { exactly: 0 })
    figure('next starts that did not finish', counts.unfinished, { exactly: 0 })
    figure('posts missing in the index', counts.notFound, { exactly: 0 })
    figure('steps that were not shown', counts.silent, { exactly: 0 })
    figure('backups that are not whole', counts.broken, { exactly: 0 })
  },
  controls: {
    async 'a migration outside of a transaction is seen as half a schema'({ engine, size: { rows } }) {
      const { before, anew } = await prepare(engine, Math.min(rows, 2_000))
      const database = await anew()
      await withEngine(database.address, async ({ alone }) => {
        for (const statement of nextSchema.statements.slice(0, 3)) await alone((tx) => sql.raw(statement).execute(tx))
      })
      const { schema } = await inspect(database.address, before)
      await database.drop()
      return schema === 'half' ? 1 : 0
    },
    async 'a row that an upgrade changes is seen'({ engine, size: { rows } }) {
      const { before, anew } = await prepare(engine, Math.min(rows, 2_000))
      const database = await anew()
      await withEngine(database.address, ({ alone }) =>
        alone((tx) => sql`update posts set excerpt = '' where id = (select max(id) from posts)`.execute(tx)),
      )
      const { lostTables } = await inspect(database.address, before)
      await database.drop()
      return lostTables
    },
  },
})
