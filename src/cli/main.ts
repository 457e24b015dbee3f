#!/usr/bin/env node
import { runProgram } from './program.ts'

// Whoever reads our output may have read enough (`verso key list | head -1`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runProgram(process.argv)
