import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder, verso } from '../../harness/program.ts'

const redirects = ['redirects', '--format', 'netlify', '--output']

it.each([
  [['backup'], 'file/backup.gz', 'a part of the path is a file, not a folder'],
  [['backup'], 'file/deep/', 'a part of the path is a file, not a folder'],
  [['backup', '--keep', '7d'], 'file/backups', 'a part of the path is a file, not a folder'],
  [redirects, 'folder', 'it is a folder, not a file'],
  [redirects, 'file/_redirects', 'a part of the path is a file, not a folder'],
  [redirects, 'nowhere/_redirects', 'its folder is not there and was not created'],
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
