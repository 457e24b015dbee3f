#!/usr/bin/env node
import { runProgram } from './program.ts'

// The reader of our output may close it early: `verso key list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runProgram(process.argv)
