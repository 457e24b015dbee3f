#!/usr/bin/env node
import { runProgram } from './program.ts'

// The reader of our output may close it early: `verso key list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// Nor does a service end with who reads its log: a terminal that is closed, or another program.
process.stderr.on('error', () => undefined)

process.exitCode = await runProgram(process.argv)
