import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const mayFail = 'VERSO_TEST_FAILS'

it('a test that fails makes the run end with 1, and none with 0', () => {
  if (process.env[mayFail] !== undefined) return expect(process.env[mayFail]).toBe('no')
  expect([runWith('no'), runWith('yes')]).toEqual([0, 1])
})

/** Runs this file again and returns its exit code. */
function runWith(fails: string): number | null {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const env = { ...process.env, [mayFail]: fails }
  return spawnSync(process.execPath, [vitest, 'run', 'test/exit-code.test.ts'], { env, stdio: 'ignore' }).status
}
