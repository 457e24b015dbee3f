import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrateDatabase } from '../../src/app/installation.ts'
import type { UpgradeSteps } from '../../src/app/upgrade.ts'
import { upgradeSteps } from '../../src/cli/upgrade-steps.ts'
import { releasedMigrations } from '../../src/database/migrate.ts'
import { emptyDatabase, migratedDatabase, startOn } from '../harness/given-database.ts'
import { engines, testContext } from '../harness/harness.ts'
import { nextMigrations, nextSchema } from '../harness/next-schema.ts'
import { temporaryFolder } from '../harness/program.ts'
import { backUp, linesOf, restore, withSum, writeLines } from '../maintenance/backup/backup-fixture.ts'
import { everyRow, withEngine } from '../maintenance/move/move-fixture.ts'

type Address = Parameters<typeof migrateDatabase>[0]

/** Steps that are noted, with what the database held at each. */
function noting(seen: string[], fail = false): UpgradeSteps {
  return {
    backUp: async (pending) => {
      seen.push(`back up before ${pending.join()}`)
      if (fail) throw new Error('the disk is full')
    },
    migrating: (name, place, all) => void seen.push(`${name} ${place}/${all}`),
    indexing: (done, all) => void seen.push(`indexed ${done}/${all}`),
  }
}

const upgrade = (address: Address, steps: UpgradeSteps) => migrateDatabase(address, testContext(), { steps, migrations: nextMigrations })

async function seriesIn(address: Address): Promise<number | undefined> {
  return withEngine(address, async ({ db }) => {
    const tables = await db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'series')) return undefined
    return (await sql`select id from series`.execute(db)).rows.length
  })
}

for (const engine of engines)
  describe(`an upgrade on ${engine.name}`, () => {
    async function filled() {
      const address = await migratedDatabase(engine)
      const verso = await startOn(address)
      for (const title of ['one', 'two', 'three']) await verso.post('/v1/posts', { title, status: 'published' })
      return { address, verso }
    }

    it('backs up first, says each step, and makes the search index again; the next start has nothing to do', async () => {
      const { address } = await filled()
      const seen: string[] = []
      expect(await upgrade(address, noting(seen))).toEqual([nextSchema.name])
      expect(seen).toEqual([`back up before ${nextSchema.name}`, `${nextSchema.name} 1/1`, 'indexed 3/3'])
      expect(await seriesIn(address)).toBe(3)
      expect(await upgrade(address, noting(seen))).toEqual([])
      expect(seen.length).toBe(3)
    })

    it('whose backup fails changes nothing', async () => {
      const { address } = await filled()
      const rows = await everyRow(address)
      await expect(upgrade(address, noting([], true))).rejects.toThrow('the disk is full')
      expect([await seriesIn(address), await everyRow(address)]).toEqual([undefined, rows])
    })

    it('of an empty database needs no backup', async () => {
      const address = await emptyDatabase(engine)
      const seen: string[] = []
      await upgrade(address, noting(seen))
      expect(seen.filter((step) => step.startsWith('back up'))).toEqual([])
      expect(await seriesIn(address)).toBe(0)
    })

    it('leaves a backup beside a SQLite file, or where it is told to, and none with --no-backup', async () => {
      const { address } = await filled()
      const folder = temporaryFolder()
      const said: string[] = []
      const tell = (text: string) => void said.push(text)
      const steps = (upgradeBackup: string | undefined, withoutBackup = false) =>
        upgradeSteps({ database: address, upgradeBackup }, { withoutBackup, tell })
      await expect(upgrade(address, steps('/dev/null/nowhere/'))).rejects.toThrow(
        /^The backup before the migration failed: .*\. Nothing was migrated\. Make room, set VERSO_UPGRADE_BACKUP/,
      )
      await steps('none').backUp(['x'])
      await steps(undefined, true).backUp(['x'])
      expect(said.splice(0)).toEqual([
        `backing up before ${nextSchema.name}`,
        ...Array(2).fill(expect.stringContaining('without a backup')),
      ])

      const isFile = address.kind === 'sqlite'
      const place = isFile ? join(dirname(address.path), 'backups') : folder
      await upgrade(address, steps(isFile ? undefined : folder))
      const [name = ''] = readdirSync(place)
      expect(said).toEqual([
        `backing up before ${nextSchema.name}`,
        `backed up to ${join(place, name)}`,
        `migrating to ${nextSchema.name} (1 of 1)`,
        'making the search index: 3 of 3 posts',
      ])
      const to = await emptyDatabase(engine)
      expect(await restore(join(place, name), to)).toMatchObject({ applied: [] })
      expect(Object.keys(await everyRow(to)).length).toBeGreaterThan(15)
    })

    it('a backup of the older schema is restored and then migrated; one of a newer schema is refused', async () => {
      const { address } = await filled()
      const file = join(temporaryFolder(), 'b.ndjson.gz')
      await backUp(address, file)
      const to = await emptyDatabase(engine)
      expect(await restore(file, to, { migrations: nextMigrations })).toMatchObject({ applied: [nextSchema.name] })
      expect(await seriesIn(to)).toBe(3)

      await expect(backUp(to, `${file}2`)).rejects.toThrow('The database has a newer schema than this version of Verso knows')
      const [header = '', ...lines] = await linesOf(file)
      await writeLines(`${file}2`, withSum([header.replace(releasedMigrations[0]?.name ?? '', nextSchema.name), ...lines]))
      await expect(restore(`${file}2`, await emptyDatabase(engine))).rejects.toThrow(
        `The backup has a schema that this version of Verso does not know (${nextSchema.name}). Restore it with the version that made it or a newer one.`,
      )
    })
  })
