import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { Change } from '../../../src/actions/change-log/change.ts'
import { recordChanges } from '../../../src/actions/change-log/change-log-store.ts'
import { up } from '../../../src/database/migrations/0003-public-seq.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { engines, startVerso } from '../../harness/harness.ts'

for (const engine of engines)
  describe(`the log on ${engine.name}`, () => {
    it('takes more changes at once than a statement has room for, in their order and without a gap', async () => {
      const { app, projectId, context } = await startVerso(engine)
      const changes = Array.from({ length: 7_000 }, (_, n): Change => {
        return { kind: 'author', id: `auth_${n}`, version: 1, news: ['author.created'], publicBefore: false, publicAfter: n % 2 === 0 }
      })
      const caller = operator(projectId, 'cli', toInstant(context.now()))
      await app.installation.perform({ name: 'test', run: (tx) => recordChanges(tx, caller, changes) }, caller, null)
      const rows = await app.installation.db.selectFrom('changes').select(['seq', 'entity_id']).orderBy('seq').execute()
      expect(rows).toEqual(changes.map(({ id }, n) => ({ seq: n + 1, entity_id: id })))
      const state = await app.installation.db.selectFrom('project_state').selectAll().executeTakeFirstOrThrow()
      expect(state).toMatchObject({ revision: 7_000, public_revision: 3_500 })
    })

    it('numbers the changes of a database that was made before public keys counted them', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      for (const project of [verso, other]) {
        await project.post('/v1/posts', { title: 'Draft' })
        await project.post('/v1/posts', { title: 'Public', status: 'published' })
        await project.patch('/v1/posts/draft', { title: 'Draft still' })
        await project.patch('/v1/posts/public', { status: 'archived' })
      }
      const { engine: database, db } = verso.app.installation
      const numbers = () =>
        db.selectFrom('changes').select(['project_id', 'seq', 'public_seq']).orderBy('project_id').orderBy('seq').execute()
      const before = await numbers()
      expect(before.map((row) => row.public_seq)).toEqual([null, 1, null, 2, null, 1, null, 2])
      await database.migrate(async (schema) => {
        await schema.schema.dropIndex('changes_in_public').execute()
        await schema.schema.alterTable('changes').dropColumn('public_seq').execute()
        await up(schema)
      })
      expect(await numbers()).toEqual(before)
    })
  })
