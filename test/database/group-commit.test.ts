import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tx } from '../../src/database/engine.ts'
import { openWriteGroups } from '../../src/database/group-commit.ts'
import { withHash } from '../../src/database/row-hash.ts'
import { newId } from '../../src/values/ids.ts'
import { toInstant } from '../../src/values/instant.ts'
import { Problem } from '../../src/values/problems.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'
import { env, samplesOf } from '../harness/metric-samples.ts'

/** Work that makes a tag of this name and then goes on as it is told. */
function tagging({ projectId, context }: TestApp, name: string, goOn: (tx: Tx) => unknown = () => undefined) {
  return async (tx: Tx) => {
    const now = toInstant(context.now())
    const id = newId('tag', now, context.random)
    await tx
      .insertInto('tags')
      .values(withHash('tags', { project_id: projectId, id, folded: name, slug: name, description: null, created_at: now }))
      .execute()
    await goOn(tx)
    return name
  }
}

async function tagsIn({ app }: TestApp): Promise<readonly string[]> {
  const rows = await app.installation.db.selectFrom('tags').select('slug').orderBy('slug').execute()
  return rows.map(({ slug }) => slug)
}

const refuse = () => {
  throw new Problem('slug_conflict', 'no')
}

/** What became of each, in order: what it gave, or why it was refused. */
const outcomesOf = async (asked: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason.code ?? each.reason.message)))

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe(`writes that come together on ${engine.name}`, () => {
    it('POST /v1/posts, a hundred at once: each has its own answer, and revisions have no gap', async () => {
      const verso = await startVerso(engine, { env })
      await verso.post('/v1/posts', { title: 'x', slug: 'taken' })
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          verso.post('/v1/posts', i % 4 === 0 ? { title: 'y', slug: 'taken' } : { title: `Post ${i}` }),
        ),
      )
      for (const [i, { status }] of answers.entries()) expect(status).toBe(i % 4 === 0 ? 409 : 201)
      const changes = await verso.app.installation.db.selectFrom('changes').select('seq').orderBy('seq').execute()
      expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: 76 }, (_, i) => i + 1))
      expect((await samplesOf(verso)).get('verso_write_duration_seconds_count{outcome="undone"}')).toBe(25)
    })

    it('one that is refused is undone alone', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      const asked = [tagging(verso, 'one'), tagging(verso, 'two', refuse), tagging(verso, 'three')]
      expect(await outcomesOf(asked.map((work) => seam.write(work)))).toEqual(['one', 'slug_conflict', 'three'])
      expect(await tagsIn(verso)).toEqual(['one', 'three'])
    })

    it('where the commit fails all of them are told so, and nothing is kept', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      const orphan = (tx: Tx) =>
        sql`pragma defer_foreign_keys = on`.execute(tx).then(() => sql`update tags set project_id = 'none'`.execute(tx))
      const asked = [tagging(verso, 'one'), tagging(verso, 'two', orphan), tagging(verso, 'three')]
      const outcomes = await outcomesOf(asked.map((work) => seam.write(work)))
      expect(outcomes).toEqual(Array(3).fill('SQLITE_CONSTRAINT_FOREIGNKEY'))
      expect(await tagsIn(verso)).toEqual([])
      expect(await seam.write(tagging(verso, 'four'))).toBe('four')
    })

    it('where the engine undoes the whole in the middle, none of them is said to be kept', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      const full = async (tx: Tx) => {
        await sql`rollback`.execute(tx)
        throw new Problem('storage_full', 'full')
      }
      const asked = [tagging(verso, 'one'), tagging(verso, 'two', full), tagging(verso, 'three')]
      expect(await outcomesOf(asked.map((work) => seam.write(work)))).toEqual(Array(3).fill('storage_full'))
      expect(await tagsIn(verso)).toEqual([])
    })

    it('one that wants to be alone has a transaction of its own, between those before it and those after', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      const seen: (readonly string[])[] = []
      const look = async () => seen.push(await tagsIn(verso))
      const close = async (tx: Tx) => {
        await look()
        await tx.updateTable('installation').set({ state: 'moving' }).execute()
      }
      const asked = [seam.write(tagging(verso, 'one', look)), seam.alone(close), seam.write(tagging(verso, 'two', look))]
      expect((await outcomesOf(asked))[2]).toBe('database_unavailable')
      expect(seen).toEqual([[], ['one']])
    })

    it('nobody sees a write before its group is committed, and a crowd is written in its order by few transactions', async () => {
      const verso = await startVerso(engine, { env })
      const before = await samplesOf(verso)
      const { engine: seam } = verso.app.installation
      const names = Array.from({ length: 300 }, (_, i) => `tag-${i}`)
      const seen = new Set<number>()
      const look = async () => seen.add((await tagsIn(verso)).length)
      expect(await Promise.all(names.map((name) => seam.write(tagging(verso, name, look))))).toEqual(names)
      expect(seen.size).toBeLessThan(names.length)
      expect(await tagsIn(verso)).toEqual([...names].sort())
      const after = await samplesOf(verso)
      const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
      expect(grown('verso_write_batch_size_sum')).toBe(300)
      expect(grown('verso_write_batch_size_count')).toBeLessThan(300)
    })
  })
}

/** Work that asks to run by itself, and then goes on as it is told. */
const alone = (verso: TestApp, name: string, goOn?: (tx: Tx) => unknown) => async (tx: Tx) => {
  tx.engine.runByItself?.()
  return tagging(verso, name, goOn)(tx)
}

for (const engine of engines) {
  describe(`writes that ask to run by themselves on ${engine.name}`, () => {
    const writesIn = (verso: TestApp) => {
      const { engine: seam } = verso.app.installation
      return (work: (tx: Tx) => Promise<string>) => seam.write(work, verso.projectId)
    }

    it('they run again, and those that came with them are made', async () => {
      const verso = await startVerso(engine)
      const write = writesIn(verso)
      let runs = 0
      const counted = (tx: Tx) => {
        runs++
        return alone(verso, 'two')(tx)
      }
      expect(await Promise.all([write(tagging(verso, 'one')), write(counted), write(tagging(verso, 'three'))])).toEqual([
        'one',
        'two',
        'three',
      ])
      expect(runs).toBe(2)
      expect(await tagsIn(verso)).toEqual(['one', 'three', 'two'])
    })

    it('nobody sees what they have written before they end, and one that is refused leaves nothing', async () => {
      const verso = await startVerso(engine)
      const write = writesIn(verso)
      const seen: (readonly string[])[] = []
      const look = async () => seen.push(await tagsIn(verso))
      expect(await outcomesOf([write(alone(verso, 'one', look)), write(alone(verso, 'two', refuse))])).toEqual(['one', 'slug_conflict'])
      expect(seen).toEqual([[]])
      expect(await tagsIn(verso)).toEqual(['one'])
      expect(await write(tagging(verso, 'three'))).toBe('three')
    })

    it('they are refused while the installation takes no writes', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      await seam.alone((tx) => tx.updateTable('installation').set({ state: 'moving' }).execute())
      expect(await outcomesOf([writesIn(verso)(alone(verso, 'one'))])).toEqual(['database_unavailable'])
      expect(await tagsIn(verso)).toEqual([])
    })

    it('a statement that counts what it changed does so in them, too', async () => {
      const verso = await startVerso(engine)
      const counting = async (tx: Tx) => {
        await alone(verso, 'one')(tx)
        const { numUpdatedRows } = await tx.updateTable('tags').set({ description: 'x' }).executeTakeFirstOrThrow()
        const { numDeletedRows } = await tx.deleteFrom('tags').where('slug', '=', 'none').executeTakeFirstOrThrow()
        return `${numUpdatedRows} ${numDeletedRows}`
      }
      expect(await writesIn(verso)(counting)).toBe('1 0')
    })
  })
}

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe(`writes that run by themselves on ${engine.name}`, () => {
    it('the event loop goes on during their statements, and other writes wait for them', async () => {
      const verso = await startVerso(engine)
      const { engine: seam } = verso.app.installation
      let turns = 0
      const others: Promise<string>[] = []
      const long = async (tx: Tx) => {
        others.push(seam.write(tagging(verso, 'two', async () => expect(await tagsIn(verso)).toEqual(['one']))))
        setImmediate(() => turns++)
        await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000) select max(i) from n`.execute(tx)
      }
      expect(await seam.write(alone(verso, 'one', long))).toBe('one')
      expect(turns).toBe(1)
      expect(await Promise.all(others)).toEqual(['two'])
    })
  })
}

describe('the queue of writes', () => {
  /** A database that does nothing, and whose flush throws when it is called for the first time. */
  function openUnflushable() {
    let isFirst = true
    const flush = () => {
      if (!isFirst) return undefined
      isFirst = false
      throw new Error('the log cannot be read')
    }
    const transaction = {
      run: (work: (handle: string) => Promise<void>) => work('handle'),
      part: <T>(work: () => Promise<T>) => work(),
      isActive: () => true,
      requireOpen: () => undefined,
      flush,
    }
    return openWriteGroups(transaction, { writeBatch: () => undefined })
  }

  it('goes on after a flush that could not begin, and whoever waited for it hears so', async () => {
    const groups = openUnflushable()
    expect(await outcomesOf([groups.join(async () => 'one'), groups.join(async () => 'two')])).toEqual(Array(2).fill('outcome_unknown'))
    expect(await groups.join(async () => 'three')).toBe('three')
    await groups.idle()
  })

  it('goes on after a refused write whose flush could not begin', async () => {
    const groups = openUnflushable()
    expect(await outcomesOf([groups.alone(async () => refuse())])).toEqual(['slug_conflict'])
    expect(await groups.join(async () => 'two')).toBe('two')
  })
})
