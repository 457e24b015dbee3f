// Checks what needs no running service: types, lint and format, architecture, docs, the OpenAPI document and the client's types of it.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const checks = [
  ['types', 'tsc', types('.')],
  ['types of the client, in a browser', 'tsc', [...types('packages/client'), '--emitDeclarationOnly', 'false']],
  ['types of the studio', 'tsc', types('studio')],
  ['types of its tests', 'tsc', types('test/studio')],
  ['lint and format', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']],
  [
    'architecture, docs, OpenAPI and its types',
    'vitest',
    [
      'run',
      'test/house/architecture.test.ts',
      'test/house/studio.test.ts',
      'test/house/suite.test.ts',
      'test/house/trials.test.ts',
      'test/docs.test.ts',
      'test/http/openapi/openapi-lint.test.ts',
      'test/packages/api-types.test.ts',
    ],
  ],
]

const commands = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
const environment = { PATH: `${commands}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }

const results = await Promise.all(checks.map(([name, command, args]) => run(name, command, args)))
for (const { name, passed, seconds, output } of results) {
  if (!passed) process.stdout.write(`\n${output}\n`)
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`)
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1

/**
 * Checks the types of a folder. Only those that may have changed since the last check: it is remembered beside the packages, which go with
 * them. Each thread of the compiler works out the same types again: one takes half the CPU time of the usual four.
 */
function types(folder) {
  const remembered = join('node_modules/.cache/types', folder, 'checked.json')
  return ['-p', folder, '--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', remembered]
}

function run(name, command, args) {
  const start = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { shell: process.platform === 'win32', env: { ...process.env, ...environment } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const end = (passed) => resolve({ name, passed, output, seconds: ((performance.now() - start) / 1000).toFixed(1) })
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
