import { describe, expect, it } from 'vitest'
import { LoadGate } from '../../../src/http/connection/load-gate.ts'
import { startStopwatch } from '../../../src/values/stopwatch.ts'

const burst = 500
const longerThanAllowedMs = 260

/** Holds the event loop, as work does that takes too long. */
function holdLoop(): void {
  const elapsed = startStopwatch()
  while (elapsed() < longerThanAllowedMs);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const times = <T>(count: number, ask: () => T): readonly T[] => Array.from({ length: count }, ask)

describe('the gate before all requests', () => {
  it('admits a burst, however slow the machine is', () => {
    const gate = new LoadGate()
    gate.admits()
    holdLoop()
    expect(times(burst - 1, () => gate.admits())).not.toContain(false)
  })

  it('refuses what would wait for a turn of the event loop that takes too long, and admits in the next turn', async () => {
    const gate = new LoadGate()
    times(burst, () => gate.admits())
    expect(gate.admits()).toBe(true)
    holdLoop()
    expect(gate.admits()).toBe(false)
    await nextTurn()
    expect(gate.admits()).toBe(true)
  })

  it('refuses more than a burst while even the fastest responses take too long', async () => {
    const gate = new LoadGate()
    times(burst + 1, () => gate.begin())
    expect(gate.admits()).toBe(true)
    holdLoop()
    gate.end(longerThanAllowedMs)
    await nextTurn()
    expect(gate.admits()).toBe(false)
    // One less than a burst is under way.
    gate.end(longerThanAllowedMs)
    expect(gate.admits()).toBe(true)
  })
})
