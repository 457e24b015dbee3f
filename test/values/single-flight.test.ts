import { expect, it } from 'vitest'
import { singleFlight } from '../../src/values/single-flight.ts'

/** Work whose runs end when the test says so. */
function heldWork() {
  const goals: number[] = []
  const ends: { resolve(result: string): void; reject(error: Error): void }[] = []
  const work = (goal: number) => {
    goals.push(goal)
    return new Promise<string>((resolve, reject) => ends.push({ resolve, reject }))
  }
  return {
    work,
    goals,
    end: (run: number) => ends[run]?.resolve(`run ${run}`),
    fail: (run: number) => ends[run]?.reject(new Error(`run ${run}`)),
  }
}

const covers = (running: number, wanted: number) => running >= wanted

it('who asks during a run that covers their goal shares it; the others share the next, which goes for all of theirs', async () => {
  const { work, goals, end } = heldWork()
  const run = singleFlight(work, { covers, join: Math.max })
  const asked = [run(5), run(3), run(8), run(7), run(9), run(5)]
  expect(goals).toEqual([5])
  end(0)
  expect(await asked[1]).toBe('run 0')
  await expect.poll(() => goals).toEqual([5, 9])
  end(1)
  expect(await Promise.all(asked)).toEqual(['run 0', 'run 0', 'run 1', 'run 1', 'run 1', 'run 0'])
})

it('a run covers nothing that is asked for after it began, unless it is said what it covers', async () => {
  const { work, goals, end } = heldWork()
  const run = singleFlight(work)
  const asked = [run(1), run(1), run(2)]
  end(0)
  await expect.poll(() => goals).toEqual([1, 2])
  const third = run(2)
  end(1)
  await expect.poll(() => goals).toEqual([1, 2, 2])
  end(2)
  expect(await Promise.all([...asked, third])).toEqual(['run 0', 'run 1', 'run 1', 'run 2'])
})

it('a run that fails is told to those who share it, and the next begins all the same', async () => {
  const { work, goals, end, fail } = heldWork()
  const run = singleFlight(work)
  const asked = [run(1), run(2)]
  fail(0)
  await expect(asked[0]).rejects.toThrow('run 0')
  await expect.poll(() => goals).toEqual([1, 2])
  end(1)
  expect(await asked[1]).toBe('run 1')
  const last = run(3)
  end(2)
  expect(await last).toBe('run 2')
})
