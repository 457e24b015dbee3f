#!/usr/bin/env node
import { runProgram } from './program.ts'

// The reader of our output may close it early: `verso key list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: standard output cannot be written: ${error.code === 'ENOSPC' ? 'the disk is full' : error.message}.\n`)
  process.exit(1)
})
// A service goes on when its log has no reader any more: the terminal was closed, or another program ended.
process.stderr.on('error', () => undefined)

process.exitCode = await runProgram(process.argv)
