import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInstallation } from '../../../src/maintenance/check/check-installation.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

/** What `verso check` finds. */
async function findings({ app, projectId }: TestApp): Promise<readonly string[]> {
  const found: string[] = []
  for await (const finding of checkInstallation(app.installation.engine, [{ id: projectId }])) found.push(finding)
  return found
}

/** A log with what the public can see and what it cannot, and a second project beside it. */
async function startWithLog(engine: (typeof engines)[number]): Promise<TestApp> {
  const verso = await startVerso(engine)
  await verso.post('/v1/posts', { title: 'Draft' })
  await verso.post('/v1/posts', { title: 'One', status: 'published' })
  await verso.patch('/v1/posts/draft', { excerpt: 'unseen' })
  for (const title of ['Two', 'Three']) await verso.patch('/v1/posts/one', { title })
  await verso.patch('/v1/posts/one', { status: 'draft' })
  await verso.patch('/v1/posts/one', { title: 'Unseen' })
  const other = await verso.otherProject('other')
  await other.post('/v1/posts', { title: 'One', status: 'published' })
  return verso
}

function renumbered(from: number, to: number) {
  return sql`update changes set public_seq = ${sql.lit(to)} where public_seq = ${sql.lit(from)}`
}

for (const engine of engines) {
  describe(`verso check on ${engine.name}`, () => {
    it('finds nothing where all is well, the older part of the log forgotten or not', async () => {
      const verso = await startWithLog(engine)
      expect(await findings(verso)).toEqual([])
      await verso.app.installation.engine.write((tx) =>
        tx.deleteFrom('changes').where('project_id', '=', verso.projectId).where('seq', '<=', 4).execute(),
      )
      expect(await findings(verso)).toEqual([])
    })

    it.each([
      ['a number that is missing', [sql`update changes set public_seq = null where public_seq = 2`]],
      ['a number too many', [sql`update changes set public_seq = 99 where seq = 1`]],
      ['two in the wrong order', [renumbered(2, 9), renumbered(3, 2), renumbered(9, 3)]],
      ['a counter behind its log', [sql`update project_state set public_revision = public_revision - 1`]],
      ['a counter before its log', [sql`update project_state set public_revision = public_revision + 1`]],
    ])('finds %s among the public revisions of the project that has it', async (_, faults) => {
      const verso = await startWithLog(engine)
      await verso.app.installation.engine.write(async (tx) => {
        for (const fault of faults) await fault.execute(tx)
      })
      expect(await findings(verso)).toContain('the log of project default does not number right what the public can see')
    })
  })
}
