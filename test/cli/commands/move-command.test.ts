import { existsSync, readdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { serve, temporaryFolder, verso } from '../../harness/program.ts'
import { withEngine } from '../../maintenance/move/move-fixture.ts'

const env = { VERSO_SECRET: '' }
const remark = 'The webhooks need the key of their secrets:'

it('verso move: says which key the webhooks need, and the service starts when it is there', async () => {
  const folder = temporaryFolder()
  const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')]
  const run = (...args: readonly string[]) => verso([...args, '--database', `sqlite:${from}`], { env })
  await run('project', 'create', 'default')
  expect((await run('webhook', 'create', 'https://example.com/hook', '--name', 'a', '--events', '*')).code).toBe(0)
  expect(await run('move', '--to', `sqlite:${to}`)).toMatchObject({
    code: 0,
    stderr: `${remark} set VERSO_SECRET as before, or copy ${from}.secret to ${to}.secret.\n`,
  })
  expect(existsSync(`${to}.secret`)).toBe(false)
  await expect(serve(`sqlite:${to}`, { env })).rejects.toThrow('key')
  await cp(`${from}.secret`, `${to}.secret`)
  await serve(`sqlite:${to}`, { env })
})

it('verso move: says nothing of keys where there are no webhooks', async () => {
  const folder = temporaryFolder()
  const database = ['--database', `sqlite:${join(folder, 'from.db')}`]
  await verso(['project', 'create', 'default', ...database])
  expect(await verso(['move', '--to', `sqlite:${join(folder, 'to.db')}`, ...database])).toMatchObject({ code: 0, stderr: '' })
})

it.each([[['--to', 'sqlite:to.db']], [['--cancel']]])('verso move %j: backs the source up before it migrates it', async (options) => {
  const cwd = temporaryFolder()
  const database = ['--database', 'sqlite:from.db']
  await verso(['project', 'create', 'default', ...database], { cwd })
  // As a version before the last migration left it; that one can run twice.
  await withEngine({ kind: 'sqlite', path: join(cwd, 'from.db') }, ({ alone }) =>
    alone((tx) => sql`delete from migrations where name = '0005-whole-indexes'`.execute(tx)),
  )
  expect((await verso(['move', ...options, ...database], { cwd })).code).toBe(0)
  expect(readdirSync(join(cwd, 'backups'))).toEqual([expect.stringMatching(/^verso-.*\.ndjson\.gz$/)])
})

it('verso move: one that is refused makes no file', async () => {
  const cwd = temporaryFolder()
  const run = (...args: readonly string[]) => verso([...args, '--database', 'sqlite:from.db'], { cwd })
  await run('project', 'create', 'default')
  await run('move', '--to', 'sqlite:to.db')
  const files = readdirSync(cwd)
  expect(await run('move', '--to', 'sqlite:folder/other.db')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: .* has moved to .* already; .*\n$/),
  })
  expect(readdirSync(cwd)).toEqual(files)
})
