import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, type TestEngine } from '../../harness/harness.ts'
import { addressText, verso } from '../../harness/program.ts'
import { blogOf } from '../../import/blog-fixture.ts'

/** Runs commands on a database with a project. */
async function commandsOn(engine: TestEngine) {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const run = (...args: readonly string[]) => verso(args, { env: { VERSO_DATABASE: addressText(address) } })
  expect((await run('project', 'create', 'default', '--name', 'Default')).code).toBe(0)
  return run
}

for (const engine of engines)
  describe(`problems in terms of the command line on ${engine.name}`, () => {
    it('verso key create: 2 and one line for a list of scopes with an empty name, and for an expiry in the past', async () => {
      const run = await commandsOn(engine)
      const create = (...more: readonly string[]) => run('key', 'create', '--kind', 'secret', '--name', 'ci', ...more)
      for (const list of ['', 'posts:read,,posts:write', 'posts:read, '])
        expect(await create('--scopes', list), list).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('The list has an empty name.'),
        })
      expect(await create('--expires', '2020-01-01')).toEqual({ code: 2, stdout: '', stderr: 'error: --expires must lie in the future.\n' })
      const asJson = await create('--expires', '0h', '--json')
      expect(asJson).toMatchObject({ code: 2, stderr: expect.stringContaining('"detail":"--expires must lie in the future."') })
    })

    it('verso author and category remove: 1, and the option that says who gets the posts', async () => {
      const run = await commandsOn(engine)
      const blog = await blogOf({ 'a.md': '---\ntitle: A\nauthor: Ada\ncategory: News\n---\ntext\n' })
      expect((await run('import', blog)).code).toBe(0)
      for (const words of [
        ['author', 'remove', 'ada'],
        ['category', 'remove', 'news'],
      ])
        expect(await run(...words)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(' --reassign-to ') })
    })
  })
