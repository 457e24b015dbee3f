import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { main } from './harness/program.ts'

/** What the program has read when it serves (docs/decisions/0023-few-files.md): its entry, the command, and all that those import. */
const served = filesFrom([main, chunkOf(main, 'serve-command'), chunkOf(chunkOf(main, 'serve-command'), 'sqlite')])
const packages = new Set(served.flatMap(sourcesOf).map((source) => /.*node_modules\/([^/]+)/.exec(source)?.[1]))

it('the program that serves is read from few files', () => {
  for (const name of ['fastify', 'kysely', 'typebox', 'pino', 'commander']) expect(packages).toContain(name)
  expect(served.length).toBeLessThanOrEqual(50)
})

it.each(['pg', 'yaml', 'smol-toml', 'prom-client', 'markdown-it', 'parse5'])('%s is not read to serve from SQLite', (name) => {
  expect(packages).not.toContain(name)
})

it('the entry can be executed after every build, for npx and npm link do not make it so again', () => {
  expect(() => accessSync(main, constants.X_OK)).not.toThrow()
})

/** What a file was made of; one that is the bundler's own has no map. */
function sourcesOf(file: string): readonly string[] {
  const map = `${file}.map`
  return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] }).sources : []
}

/** The file that a file imports, at once or when it is needed, for a module of this name. */
function chunkOf(file: string, module: string): string {
  const candidates = [file, ...filesFrom([file])].flatMap((each) =>
    [...readFileSync(each, 'utf8').matchAll(/["'](\.{1,2}\/[^"']+)["']/g)].map(([, name = '']) => resolve(dirname(each), name)),
  )
  const found = candidates.find((each) => new RegExp(`/${module}-[^/]+\\.js$`).test(each))
  if (found === undefined) throw new Error(`${file} imports no ${module}`)
  return found
}

/** These files and all that they import at once. */
function filesFrom(files: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const walk = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/^import (?:.* from )?"(\.{1,2}\/[^"]+)";$/gm)
    for (const [, name = ''] of imports) walk(join(dirname(file), name))
  }
  for (const file of files) walk(file)
  return [...found]
}
