import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from './harness/program.ts'

const script = resolve(import.meta.dirname, '../scripts/prepare.js')

/** A package with a source file, a compiler and a build that only says that it ran. */
function newPackage() {
  const root = temporaryFolder()
  for (const folder of ['scripts', 'src', 'node_modules/typescript']) mkdirSync(join(root, folder), { recursive: true })
  cpSync(script, join(root, 'scripts/prepare.js'))
  writeFileSync(join(root, 'package.json'), '{"type": "module"}')
  writeFileSync(join(root, 'src/a.ts'), '')
  const build =
    "import { mkdirSync, writeFileSync } from 'node:fs'\nmkdirSync('dist', { recursive: true })\nwriteFileSync('dist/built', '')\n"
  writeFileSync(join(root, 'scripts/build.js'), `${build}process.stdout.write('built')\n`)
  const prepare = () => spawnSync(process.execPath, ['scripts/prepare.js'], { cwd: root, encoding: 'utf8' }).stdout
  return { root, prepare }
}

it('prepare: builds once, and again when a source was changed, removed, or the build is not complete', () => {
  const { root, prepare } = newPackage()
  const later = (file: string, seconds: number) => utimesSync(join(root, file), Date.now() / 1_000 + seconds, Date.now() / 1_000 + seconds)
  expect([prepare(), prepare()]).toEqual(['built', ''])
  later('src/a.ts', 60)
  expect(prepare()).toBe('built')
  later('dist/built', 120)
  expect(prepare()).toBe('')
  rmSync(join(root, 'src/a.ts'))
  later('src', 180)
  expect(prepare()).toBe('built')
  rmSync(join(root, 'dist/built'))
  expect(prepare()).toBe('built')
})

it('prepare: builds nothing without a compiler', () => {
  const { root, prepare } = newPackage()
  rmSync(join(root, 'node_modules'), { recursive: true })
  expect(prepare()).toBe('')
  expect(existsSync(join(root, 'dist'))).toBe(false)
})
