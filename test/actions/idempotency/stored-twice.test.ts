import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { storeResponse } from '../../../src/actions/idempotency/stored-response-store.ts'
import { WriteConflict } from '../../../src/database/engine.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { engines, startVerso } from '../../harness/harness.ts'

const response = { status: 201, headers: {}, body: 'first', bodyState: 'plain', requestHash: 'x', resourceId: null } as const

for (const engine of engines) {
  describe(`a response under an Idempotency-Key on ${engine.name}`, () => {
    it('is not replaced by another one, whatever let both requests run; only once it has expired', async () => {
      const { app, projectId, context } = await startVerso(engine)
      const store = (body: string) =>
        app.installation.engine.write((tx) =>
          storeResponse(tx, operator(projectId, 'cli', toInstant(context.now())), 'key', { ...response, body }),
        )
      await store('first')
      await expect(store('second')).rejects.toSatisfy((error) => error instanceof WriteConflict || error.code === 'overloaded')
      const read = () => app.installation.db.selectFrom('stored_responses').select('body').where('project_id', '=', projectId).execute()
      expect(await read()).toEqual([{ body: 'first' }])
      context.travelTo('2026-06-03T12:00:00.000Z')
      await store('third')
      expect(await read()).toEqual([{ body: 'third' }])
    })
  })
}
