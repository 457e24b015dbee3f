// Runs the trials: npm run trials [-- <name>…] [--short] [--seed <n>] [--record | --page]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const help = `Usage: npm run trials -- [options] [name…]

Tries to break what docs/promises.md promises.

Options:
  --short      small sizes: all trials in less than 10 minutes on 2 cores
  --seed <n>   repeat a run
  --record     write the figures, of full size, into docs/promises.md
  --page       write docs/promises.md again from the recorded figures, without a run
  --list       print the names of the trials

Examples:
  npm run trials -- --short
  npm run trials -- projects-are-walls --seed 4711
  npm run trials -- faults                     plant every fault, and see that its trial catches it
  npm run trials -- faults answer-before-flush  plant one
`

const root = fileURLToPath(new URL('..', import.meta.url))
const names = readdirSync(join(root, 'trials'))
  .filter((file) => file.endsWith('.trial.ts'))
  .map((file) => file.replace('.trial.ts', ''))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    seed: { type: 'string' },
    record: { type: 'boolean' },
    page: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
const withFaults = positionals[0] === 'faults'
const unknown = withFaults ? [] : positionals.filter((name) => !names.includes(name))

if (values.help) process.stdout.write(help)
else if (values.list) process.stdout.write(`${names.join('\n')}\n`)
else if (unknown.length > 0) {
  process.stderr.write(`There is no trial ${unknown.join(', ')}. There are:\n  ${names.join('\n  ')}\n`)
  process.exitCode = 2
} else if (values.record && (values.short || withFaults)) {
  process.stderr.write('--record is for runs of full size: leave out --short and faults.\n')
  process.exitCode = 2
} else if (values.page) process.exitCode = vitest(['test/house/trials.test.ts', '--project', 'alone', '--update'])
else process.exitCode = run()

function run() {
  const files = withFaults
    ? ['trials/faults/planted-faults.ts']
    : (positionals.length > 0 ? positionals : names).map((name) => `trials/${name}.trial.ts`)
  const env = {
    ...process.env,
    VERSO_TRIAL_SIZE: values.short || withFaults ? 'short' : 'full',
    ...(values.record && { VERSO_TRIAL_RECORD: '1' }),
    ...(values.seed && { VERSO_TEST_SEED: values.seed }),
    ...(withFaults && { VERSO_FAULTS: positionals.slice(1).join(',') }),
  }
  const mode = withFaults ? 'faults' : 'trials'
  return vitest(['--mode', mode, '--project', 'trials', ...files], env)
}

function vitest(args, env = process.env) {
  const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args]
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status ?? 1
}
