import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder, verso } from '../../harness/program.ts'

it.each(['--check', '--yes'])('verso shard %s: 2 where there is no database of SQLite, and makes none', async (flag) => {
  const folder = temporaryFolder()
  const path = join(folder, 'verso.db')
  expect(await verso(['shard', flag, '--database', `sqlite:${path}`])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: there is no database at ${path}.\n`,
  })
  expect(readdirSync(folder)).toEqual([])
})
