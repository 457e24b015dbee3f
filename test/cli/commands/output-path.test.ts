import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { main, temporaryFolder, verso } from '../../harness/program.ts'

const redirects = ['redirects', '--format', 'netlify', '--output']

it.each([
  [['backup'], 'file/backup.gz', 'a part of the path is a file, not a folder'],
  [['backup'], 'file/deep/', 'a part of the path is a file, not a folder'],
  [['backup', '--keep', '7d'], 'file/backups', 'a part of the path is a file, not a folder'],
  [redirects, 'folder', 'it is a folder, not a file'],
  [redirects, 'file/_redirects', 'a part of the path is a file, not a folder'],
  [redirects, 'nowhere/_redirects', 'its folder is not there and was not created'],
  [redirects, 'x'.repeat(300), 'a name in the path is too long'],
  [['backup'], 'x'.repeat(300), 'a name in the path is too long'],
])('verso %j: 1 and one line in words where it cannot write %s', async (command, path, reason) => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'file'), '')
  await verso(['project', 'create', 'default', '--permalink', '/{slug}'], { cwd })
  expect(await verso([...command, path], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${path} cannot be written: ${reason}.\n`,
  })
})

it.each([
  [
    ['restore', 'backup.gz', '--database', 'sqlite:file/verso.db'],
    /^The folder \S+file for the database cannot be created: a part of the path is a file/,
  ],
  [['migrate', '--database', 'sqlite:/proc/none/verso.db'], /^The folder \S+ for the database cannot be created: its folder is not there/],
  [['migrate', '--database', 'sqlite:/proc/self/verso.db'], /^The database \S+ cannot be created: its folder is not there/],
  [['export', 'file'], /^the folder file cannot be created: a part of the path is a file/],
  [['export', 'file/deep'], /^the folder file cannot be created: a part of the path is a file/],
  [['export', 'x'.repeat(300)], /^the folder x+ cannot be created: a name in the path is too long\.$/],
])('verso %j: 1 and one line in words', async (command, said) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'file'), '')
  const run = (...args: readonly string[]) => verso(args, { cwd })
  await run('project', 'create', 'default')
  await run('backup', 'backup.gz')
  const { code, stdout, stderr } = await run(...command)
  const [line = '', ...more] = stderr.trimEnd().split('\n')
  expect({ code, stdout, more }).toEqual({ code: 1, stdout: '', more: [] })
  expect(line.replace(/^error: /, '')).toMatch(said)
})

it.runIf(existsSync('/dev/full'))('verso openapi: 1 and one line in words where standard output takes no more', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [main, 'openapi'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
  closeSync(full)
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: standard output cannot be written: the disk is full.\n' })
})
