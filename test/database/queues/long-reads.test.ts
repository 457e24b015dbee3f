import { expect, it, onTestFinished, vi } from 'vitest'
import { mostWaiting, openPlaces } from '../../../src/database/queues/long-reads.ts'

/** Asks for places and notes the order in which they are given. */
function asking(places: number | (() => number)) {
  const { enter } = openPlaces(typeof places === 'number' ? () => places : places)
  const given: string[] = []
  const leaves: (() => void)[] = []
  const ask = (name: string, signal?: AbortSignal) =>
    enter({ name: name.charAt(0), ...(signal && { untilGone: () => signal }) }).then((leave) => {
      given.push(name)
      leaves.push(leave)
    })
  /** Asks, and does not care what becomes of it. */
  const wait = (name: string) => void ask(name).catch(() => undefined)
  const leaveFirst = async () => {
    leaves.shift()?.()
    await settled()
  }
  return { ask, wait, given, leaveFirst }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('an asker never has all places, so that another one need not wait for it', async () => {
  const { wait, given } = asking(2)
  for (const name of ['a1', 'a2', 'a3', 'b1']) wait(name)
  await settled()
  expect(given).toEqual(['a1', 'b1'])
})

it('askers take turns, however many reads of one of them wait', async () => {
  const { wait, given, leaveFirst } = asking(1)
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) wait(name)
  await settled()
  for (let i = 0; i < 6; i++) await leaveFirst()
  expect(given).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

it('those who wait come before somebody who comes when there are more places', async () => {
  let places = 1
  const { wait, given } = asking(() => places)
  for (const name of ['a', 'b', 'c']) wait(name)
  places = 3
  wait('d')
  await settled()
  expect(given).toEqual(['a', 'b', 'c'])
})

it('a place is given back once, even if its function is called again', async () => {
  const { enter } = openPlaces(() => 1)
  const leave = await enter({ name: 'a' })
  leave()
  const next = await enter({ name: 'b' })
  leave()
  let isAdmitted = false
  void enter({ name: 'c' }).then(() => {
    isAdmitted = true
  })
  await settled()
  expect(isAdmitted).toBe(false)
  next()
  await settled()
  expect(isAdmitted).toBe(true)
})

it('a client that has gone away waits no longer, and the next one has its place', async () => {
  const { ask, wait, given, leaveFirst } = asking(1)
  const gone = new AbortController()
  wait('a1')
  const waiting = ask('b1', gone.signal)
  wait('c1')
  await settled()
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' })
  await leaveFirst()
  expect(given).toEqual(['a1', 'c1'])
  await expect(ask('d1', AbortSignal.abort())).rejects.toMatchObject({ code: 'overloaded' })
})

it('503 overloaded with Retry-After for an asker with too many waiting reads; others may still wait', async () => {
  const { ask, wait, given, leaveFirst } = asking(1)
  wait('a')
  for (let i = 0; i < mostWaiting.ofOne; i++) wait('b')
  await expect(ask('b')).rejects.toMatchObject({ code: 'overloaded', status: 503, headers: { 'retry-after': '5' } })
  wait('c')
  await leaveFirst()
  await leaveFirst()
  expect(given).toEqual(['a', 'b', 'c'])
})

it('half as many of an asker may wait once some have waited without a break for two seconds; all again when none does', async () => {
  vi.useFakeTimers({ toFake: ['hrtime'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, wait, leaveFirst } = asking(1)
  const half = mostWaiting.ofOne / 2
  const allWait = async (asked: readonly Promise<void>[]) =>
    expect(await Promise.race([...asked, settled().then(() => 'all wait')])).toBe('all wait')
  const askedTimes = (times: number) => Array.from({ length: times }, () => ask('b'))
  wait('a')
  await allWait(askedTimes(half))
  vi.advanceTimersByTime(1_999)
  await allWait(askedTimes(1))
  vi.advanceTimersByTime(1)
  await expect(ask('b')).rejects.toMatchObject({ code: 'overloaded' })
  for (let i = 0; i < 2; i++) await leaveFirst()
  await allWait(askedTimes(1))
  await expect(ask('b')).rejects.toMatchObject({ code: 'overloaded' })
  for (let i = 0; i < half; i++) await leaveFirst()
  await allWait(askedTimes(half))
  vi.advanceTimersByTime(1_000)
  await allWait(askedTimes(half))
})

it('503 overloaded for everybody when too many wait in all', async () => {
  const { ask, wait } = asking(1)
  wait('a')
  for (let i = 0; i < mostWaiting.ofAll; i++) wait(String.fromCodePoint(0x4e00 + Math.floor(i / mostWaiting.ofOne)))
  await expect(ask('z')).rejects.toMatchObject({ code: 'overloaded' })
})
