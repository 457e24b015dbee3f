import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { Change } from '../../../src/actions/change-log/change.ts'
import { recordChanges } from '../../../src/actions/change-log/change-log-store.ts'
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
      const rows = await app.installation.db.selectFrom('changes').select(['seq', 'resource_id']).orderBy('seq').execute()
      expect(rows).toEqual(changes.map(({ id }, n) => ({ seq: n + 1, resource_id: id })))
      const state = await app.installation.db.selectFrom('project_state').selectAll().executeTakeFirstOrThrow()
      expect(state).toMatchObject({ revision: 7_000, public_revision: 3_500 })
    })
  })
