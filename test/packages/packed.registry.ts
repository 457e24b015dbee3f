import { cpSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeOf, run, startServer } from '../examples/registry-tools.ts'
import { temporaryFolder } from '../harness/program.ts'

const root = resolve(import.meta.dirname, '../..')
const own = Number(process.versions.node.split('.')[0])

describe.each([20, 22, 24, 26])('packed, and installed in an empty folder, on Node.js %i', (major) => {
  it('the service starts on SQLite, and the client reads a post of it', { timeout: 900_000 }, async () => {
    const [tarballs, folder] = [temporaryFolder(), temporaryFolder()]
    const pack = (at: string) => run('npm', ['pack', '--ignore-scripts', '--pack-destination', tarballs], join(root, at))
    for (const at of ['.', 'packages/client', 'packages/astro']) await pack(at)
    const node = await nodeOf(major)
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    const packed = ['verso-server', 'verso-client', 'verso-astro'].map((name) => join(tarballs, `${name}-0.1.0.tgz`))
    // Without scripts: where there is no binary to fetch, the driver of SQLite is compiled, with headers that have to be named.
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packed], folder, node)
    const driver = 'node_modules/better-sqlite3/build'
    if (major === own) cpSync(join(root, driver), join(folder, driver), { recursive: true })
    else await run('npm', ['rebuild', 'better-sqlite3'], folder, node)
    const env = { ...node, VERSO_DATABASE: 'sqlite:verso.db', VERSO_SECRET: 'the-secret-of-all-tests-43-characters-long-', PORT: '0' }
    const command = join(folder, 'node_modules/.bin/verso')
    await run(command, ['project', 'create', 'default'], folder, env)
    const keyOf = async (kind: string) =>
      (await run(command, ['key', 'create', '--kind', kind, '--name', 'site'], folder, env)).output.split('\n')[0]
    const [secret, key] = [await keyOf('secret'), await keyOf('public')]
    const url = await startServer(command, ['serve'], folder, env)
    writeFileSync(
      join(folder, 'read.js'),
      `import { Verso } from '@verso/client'
      import { versoContent } from '@verso/astro'
      await new Verso({ url: '${url}', key: '${secret}' }).posts.create({ title: 'Packed', status: 'published' })
      const { title } = await new Verso({ url: '${url}', key: '${key}' }).posts.get('packed')
      console.log(process.version, title, versoContent({ url: '${url}' }).posts().name)`,
    )
    expect((await run('node', ['read.js'], folder, node)).output).toMatch(new RegExp(`^v${major}\\.[\\d.]+ Packed verso-post\\n$`))
  })
})
