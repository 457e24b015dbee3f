import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../harness/given-database.ts'
import { engines } from '../harness/harness.ts'
import { addressText, temporaryFolder, verso } from '../harness/program.ts'
import { withEngine } from '../maintenance/move/move-fixture.ts'

for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
  describe('an empty database on PostgreSQL', () => {
    it.each([
      [['check']],
      [['key', 'list']],
      [['author', 'list']],
      [['project', 'list']],
      [['move', '--to', 'sqlite:new.db']],
      [['move', '--cancel']],
    ])('verso %j: exit 2, and it stays empty', async (command) => {
      const address = await emptyDatabase(engine)
      const cwd = temporaryFolder()
      expect(await verso([...command, '--database', addressText(address)], { cwd })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: postgres:\/\/[^\n]* holds no installation; [^\n]*\n$/),
      })
      expect(await withEngine(address, ({ db }) => db.introspection.getTables())).toEqual([])
      expect(readdirSync(cwd)).toEqual([])
    })

    it('verso serve without VERSO_SECRET: exit 2, and it stays empty', async () => {
      const address = await emptyDatabase(engine)
      const args = ['serve', '--port', '0', '--database', addressText(address)]
      expect(await verso(args, { env: { VERSO_SECRET: '' } })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('VERSO_SECRET must be set'),
      })
      expect(await withEngine(address, ({ db }) => db.introspection.getTables())).toEqual([])
    })

    it('verso project create: exit 0, as it may be the first command', async () => {
      const database = ['--database', addressText(await emptyDatabase(engine))]
      expect((await verso(['project', 'create', 'blog', ...database])).code).toBe(0)
      expect((await verso(['check', ...database])).code).toBe(0)
    })
  })
}

for (const engine of engines)
  describe(`a database of another program on ${engine.name}`, () => {
    it.each([
      ['posts', 'create table posts (number integer)'],
      ['migrations', 'create table migrations (number integer, migration text)'],
      ['migrations', "create table migrations as select 1 as id, 'Init1712345678901' as name"],
    ])('a table %s: one line that says so, exit code 1, and it stays as it is', async (table, statement) => {
      const address = await emptyDatabase(engine)
      await withEngine(address, ({ migrate }) => migrate((schema) => sql.raw(statement).execute(schema)))
      const cwd = temporaryFolder()
      const run = (...args: readonly string[]) => verso([...args, '--database', addressText(address)], { cwd })
      for (const command of [['migrate'], ['serve', '--port', '0']])
        expect(await run(...command), command[0]).toEqual({
          code: 1,
          stdout: '',
          stderr: `error: The database belongs to another program: it holds tables, such as ${table}, and no installation. Give Verso a database of its own.\n`,
        })
      expect((await withEngine(address, ({ db }) => db.introspection.getTables())).map(({ name }) => name)).toEqual([table])
    })
  })
