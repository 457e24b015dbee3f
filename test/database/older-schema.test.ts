import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { releasedMigrations } from '../../src/database/migrate.ts'
import { checkInstallation } from '../../src/maintenance/check/check-installation.ts'
import { emptyDatabase, migratedDatabase, serveFrom, startOn } from '../harness/given-database.ts'
import { engines, type TestEngine } from '../harness/harness.ts'
import { temporaryFolder } from '../harness/program.ts'
import { backUp, restore } from '../maintenance/backup/backup-fixture.ts'
import { moveFrom, withEngine } from '../maintenance/move/move-fixture.ts'

const later = releasedMigrations.slice(1).map(({ name }) => name)

/** Takes back every migration but the first. */
async function toFirstSchema(address: DatabaseAddress): Promise<void> {
  await withEngine(address, ({ migrate }) =>
    migrate(async (schema) => {
      await sql`alter table old_slugs drop column row_hash`.execute(schema)
      await sql`alter table installation drop column has_erased`.execute(schema)
      await sql`drop table failed_authentications`.execute(schema)
      await sql`delete from migrations where name <> ${releasedMigrations[0]?.name}`.execute(schema)
    }),
  )
}

function findingsIn(address: DatabaseAddress): Promise<readonly string[]> {
  return withEngine(address, async (there) => {
    const found: string[] = []
    for await (const finding of checkInstallation(there)) found.push(finding)
    return found
  })
}

/** A database with the first schema and a post that had another slug. */
async function olderDatabase(engine: TestEngine) {
  const address = await migratedDatabase(engine)
  const verso = await startOn(address)
  const { body: post } = await verso.post('/v1/posts', { title: 'First', status: 'published' })
  await verso.patch(`/v1/posts/${post.id}`, { slug: 'second' })
  await verso.app.stop()
  await toFirstSchema(address)
  return { address, post, context: verso.context, secret: verso.secret }
}

for (const engine of engines) {
  describe(`a database with the first schema on ${engine.name}`, () => {
    it('is migrated at the start: former slugs redirect, new ones have a hash, and verso check compares those', async () => {
      const { address, post, context, secret } = await olderDatabase(engine)
      const verso = await serveFrom(address, context, secret)
      expect(await findingsIn(address)).toEqual([])
      expect((await verso.patch(`/v1/posts/${post.id}`, { slug: 'third' })).status).toBe(200)
      for (const slug of ['first', 'second']) expect((await verso.get(`/v1/posts/${slug}`)).status).toBe(301)
      expect(await findingsIn(address)).toEqual([])
      await verso.app.installation.engine.write((tx) => sql`update old_slugs set slug = 'sekond' where slug = 'second'`.execute(tx))
      expect(await findingsIn(address)).toEqual([expect.stringContaining(`the former slug sekond of ${post.id}`)])
    })

    it.each(engines)('its backup is restored into $name, and migrated there', async (to) => {
      const { address, post, context, secret } = await olderDatabase(engine)
      const [file, target] = [join(temporaryFolder(), 'b.ndjson.gz'), await emptyDatabase(to)]
      await backUp(address, file)
      expect(await restore(file, target)).toMatchObject({ applied: later })
      expect(await findingsIn(target)).toEqual([])
      const verso = await serveFrom(target, context, secret)
      expect((await verso.patch(`/v1/posts/${post.id}`, { slug: 'third' })).status).toBe(200)
      expect((await verso.get('/v1/posts/first')).status).toBe(301)
    })

    it.each(engines)('it moves to $name', async (to) => {
      const { address, post } = await olderDatabase(engine)
      const target = await emptyDatabase(to)
      await moveFrom(address, target)
      expect(await findingsIn(target)).toEqual([])
      const [row] = await withEngine(target, ({ db }) => db.selectFrom('old_slugs').selectAll().execute())
      expect(row).toMatchObject({ slug: 'first', post_id: post.id, row_hash: '' })
    })
  })
}
