import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openInstallation } from '../../../src/app/installation.ts'
import type { Engine } from '../../../src/database/engine.ts'
import { unobserved } from '../../../src/values/observations.ts'
import { emptyDatabase, migratedDatabase, serveFrom, startOn } from '../../harness/given-database.ts'
import { engines, testContext } from '../../harness/harness.ts'
import { temporaryFolder } from '../../harness/program.ts'
import { everyRow, fillWithOddities, stateOf, withEngine } from '../move/move-fixture.ts'
import { backUp, backupIn, linesOf, namesIn, restore, verify, writeLines } from './backup-fixture.ts'

const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const))

/** Every row but the epoch, which a restore renews. */
async function rowsOf(address: Parameters<typeof everyRow>[0]) {
  const { installation, ...tables } = await everyRow(address)
  return tables
}

for (const [fromEngine, toEngine] of pairs)
  describe(`a backup of ${fromEngine.name}, restored into ${toEngine.name}`, () => {
    it('has every row; lists are read again, followers start again, and no later state is taken for this one', async () => {
      const [from, to, file] = [await migratedDatabase(fromEngine), await emptyDatabase(toEngine), backupIn(temporaryFolder())]
      const source = await startOn(from)
      await fillWithOddities(source)
      const path = '/v1/posts?limit=3&sort=title'
      const before = await source.get(path)
      const rows = await rowsOf(from)
      const { tables } = await backUp(from, file)
      expect(tables.every((table) => table.rows > 0)).toBe(true)

      // Later than the backup: the same numbers of revisions will be given out again.
      const later = await source.post('/v1/posts', { title: 'later', status: 'published' })
      const [laterList, laterFeed] = [await source.get(path), await source.get('/v1/changes?limit=1')]
      const edited = `/v1/posts/${before.body.data[0].id}`
      const laterPost = await source.patch(edited, { excerpt: 'later' })
      expect(await restore(file, to)).toMatchObject({ applied: [], tables })
      expect(await rowsOf(to)).toEqual(rows)

      const target = await serveFrom(to, source.context, source.secret)
      expect((await target.get(path)).body).toEqual(before.body)
      expect((await target.post('/v1/posts', { title: 'another', status: 'published' })).status).toBe(201)
      for (const answer of [before, laterList]) {
        const tag = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }
        expect((await target.get(path, tag)).status).toBe(200)
      }
      expect((await target.patch(edited, { excerpt: 'other' })).body.version).toBe(laterPost.body.version)
      const stale = { headers: { 'if-match': laterPost.headers.get('etag') ?? '' } }
      expect(await target.patch(edited, { excerpt: 'third' }, stale)).toMatchObject({ status: 412, body: { code: 'stale_version' } })
      const cursor = laterFeed.body.nextCursor
      expect((await source.get(`/v1/changes?since=${cursor}`)).status).toBe(200)
      expect(await target.get(`/v1/changes?since=${cursor}`)).toMatchObject({ status: 410, body: { code: 'cursor_expired' } })
      expect((await target.get(`/v1/posts/${later.body.id}`)).status).toBe(404)
      expect((await target.get('/v1/posts?q=strasse')).body.data.length).toBeGreaterThan(0)
    })
  })

for (const engine of engines)
  describe(`a backup of ${engine.name}`, () => {
    async function prepared() {
      const from = await migratedDatabase(engine)
      const source = await startOn(from)
      for (const title of ['one', 'two', 'three']) await source.post('/v1/posts', { title, status: 'published' })
      const folder = temporaryFolder()
      return { from, source, folder, file: backupIn(folder) }
    }

    it('is the state of one moment, whatever is written meanwhile', async () => {
      const { from, source, file } = await prepared()
      const rows = await rowsOf(from)
      let isWritten = false
      const writing = (there: Engine): Engine => ({
        ...there,
        snapshot: (work) =>
          there.snapshot(async (db) => {
            await db.selectFrom('projects').select('id').execute()
            expect((await source.post('/v1/posts', { title: 'meanwhile' })).status).toBe(201)
            isWritten = true
            return work(db)
          }),
      })
      await backUp(from, file, { engine: writing })
      expect(isWritten).toBe(true)
      const to = await emptyDatabase(engine)
      await restore(file, to)
      expect(await rowsOf(to)).toEqual(rows)
    })

    it('is readable by its owner only, and lies under its name when it has been read back', async () => {
      const { from, folder, file } = await prepared()
      const seen: string[][] = []
      await backUp(from, file, { watch: { begins: (step) => void seen.push([step, ...namesIn(folder)]) } })
      expect(seen).toEqual([['write'], ['verify', expect.stringMatching(/^\.backup\.ndjson\.gz\.[0-9a-f]{12}\.part$/)]])
      expect(namesIn(folder)).toEqual(['backup.ndjson.gz'])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    })

    it('that is stopped or fails leaves nothing behind', async () => {
      const { from, folder, file } = await prepared()
      let batches = 0
      await expect(backUp(from, file, { watch: { isStopped: () => ++batches > 3 } })).rejects.toThrow('Stopped. Nothing was kept.')
      const failing = (there: Engine): Engine => ({
        ...there,
        snapshot: (work) =>
          there.snapshot((db) =>
            work({
              ...db,
              selectFrom: db.selectFrom.bind(db),
              getExecutor: () => {
                throw new Error('gone')
              },
            }),
          ),
      })
      await expect(backUp(from, file, { engine: failing })).rejects.toThrow()
      expect(namesIn(folder)).toEqual([])
    })

    it('of an incomplete copy, or of nothing, is refused', async () => {
      const { folder, file } = await prepared()
      const to = await emptyDatabase(engine)
      await expect(backUp(to, file)).rejects.toThrow('holds no installation.')
      await backUp((await prepared()).from, file)
      await expect(
        restore(file, to, {
          watch: {
            begins: (step) => {
              if (step === 'compare') throw new Error('killed')
            },
          },
        }),
      ).rejects.toThrow('killed')
      await expect(backUp(to, `${file}2`)).rejects.toThrow('incomplete copy')
      expect(namesIn(folder)).toEqual(['backup.ndjson.gz'])
    })
  })

for (const engine of engines)
  describe(`a restore into ${engine.name}`, () => {
    async function backedUp() {
      const address = await migratedDatabase(engine)
      const source = await startOn(address)
      for (const title of ['one', 'two']) await source.post('/v1/posts', { title, status: 'published' })
      const file = backupIn(temporaryFolder())
      await backUp(address, file)
      return { file, address }
    }

    it('is refused where an installation is, and where rows are, and changes nothing', async () => {
      const { file, address } = await backedUp()
      const rows = await rowsOf(address)
      await expect(restore(file, address)).rejects.toThrow('holds an installation already; a restore needs an empty database.')
      expect(await rowsOf(address)).toEqual(rows)
      const odd = await migratedDatabase(engine)
      await withEngine(odd, (there) =>
        there.write((tx) => tx.insertInto('contents').values({ project_id: 'prj_1', post_id: 'post_1', hash: 'h', body: 'b' }).execute()),
      )
      await expect(restore(file, odd)).rejects.toThrow('is not empty: there are rows in its table contents.')
      expect(await stateOf(odd)).toBe(undefined)
    })

    it('that dies midway leaves what cannot be used, and the next one begins anew', async () => {
      const { file, address } = await backedUp()
      const to = await emptyDatabase(engine)
      const dying = {
        begins: (step: string) => {
          if (step === 'compare') throw new Error('killed')
        },
      }
      await expect(restore(file, to, { watch: dying })).rejects.toThrow('killed')
      const open = openInstallation({ database: to, context: testContext(), observations: unobserved })
      await expect(open).rejects.toThrow('incomplete copy of an installation')
      await restore(file, to)
      expect(await rowsOf(to)).toEqual(await rowsOf(address))
    })

    it('finds the smallest difference when it reads back, and does not open', async () => {
      const { file } = await backedUp()
      const to = await emptyDatabase(engine)
      const tampering = (there: Engine): Engine => ({
        ...there,
        async snapshot(work) {
          await there.alone((tx) => tx.updateTable('posts').set({ excerpt: '' }).where('title', '=', 'two').execute())
          return there.snapshot(work)
        },
      })
      await expect(restore(file, to, { engine: tampering })).rejects.toThrow('The restored table posts is not what the backup holds.')
      expect(await stateOf(to)).toBe('incomplete')
    })

    it('gives a new epoch each time', async () => {
      const { file, address } = await backedUp()
      const epochs = new Set<string>()
      for (const to of [address, await emptyDatabase(engine), await emptyDatabase(engine)]) {
        if (to !== address) await restore(file, to)
        epochs.add(
          await withEngine(to, async ({ db }) => (await db.selectFrom('installation').select('epoch').executeTakeFirstOrThrow()).epoch),
        )
      }
      expect(epochs.size).toBe(3)
    })

    it('of a damaged backup changes nothing of an empty database, not even its schema', async () => {
      const { file } = await backedUp()
      const lines = await linesOf(file)
      await writeLines(
        file,
        lines.map((line) => line.replace('"two"', '"too"')),
      )
      const to = await emptyDatabase(engine)
      await expect(restore(file, to)).rejects.toThrow('The backup is damaged')
      const found = await withEngine(to, ({ db }) => db.introspection.getTables())
      expect(found.filter(({ isView }) => !isView)).toEqual([])
      await expect(verify(file)).rejects.toThrow('The backup is damaged: the rows of the table posts do not have the hash')
    })
  })
