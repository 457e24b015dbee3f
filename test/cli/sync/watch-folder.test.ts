import { expect, it } from 'vitest'
import { watchFolder } from '../../../src/cli/sync/watch-folder.ts'

it('verso sync --watch asks a service that answers at once, as while it stops, once a second, and others at once', async () => {
  const stop = new AbortController()
  const polls: (readonly [written: number, tookMs: number])[] = [
    [0, 5],
    [0, 30_000],
    [1, 5],
    [0, 400],
    [0, 1_200],
  ]
  const asked: number[] = []
  let now = 7
  const next = async () => {
    asked.push(now)
    const [written, tookMs] = polls.shift() ?? [0, 0]
    now += tookMs
    if (polls.length === 0) stop.abort()
    return { written, deleted: 0, hasMore: false, missing: [] }
  }
  const pause = async (ms: number) => {
    now += ms
  }
  await watchFolder({ next }, { stop: stop.signal, onDone: () => {}, onAway: () => {}, pause, elapsedMs: () => now })
  expect(asked).toEqual([7, 1_007, 31_007, 31_012, 32_012])
})
