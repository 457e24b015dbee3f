import { describe, expect, it } from 'vitest'
import { openWaitQueue } from '../../../src/database/postgres/wait-queue.ts'

const patient = { patienceMs: 60_000, tooLong: () => new Error('too long') }

describe('a turnstile', () => {
  it('lets in as many as it has places for, and the others in the order of their coming', async () => {
    const turnstile = openWaitQueue({ places: 2, ...patient })
    const inside: string[] = []
    const authenticated = async (name: string) => {
      const leave = await turnstile.enter()
      inside.push(name)
      return leave
    }
    const [a, b] = await Promise.all([authenticated('a'), authenticated('b')])
    const others = ['c', 'd', 'e'].map(authenticated)
    await Promise.resolve()
    expect(inside).toEqual(['a', 'b'])
    b()
    const c = await others[0]
    expect(inside).toEqual(['a', 'b', 'c'])
    a()
    c?.()
    await Promise.all(others)
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('has a place again for each that was given back, and no more', async () => {
    const turnstile = openWaitQueue({ places: 1, ...patient })
    for (let turn = 0; turn < 10; turn++) (await turnstile.enter())()
    await turnstile.enter()
    const next = turnstile.enter()
    turnstile.dismiss(new Error('closed'))
    await expect(next).rejects.toThrow('closed')
  })

  it('sends away who has waited too long, and lets the next one in all the same', async () => {
    const turnstile = openWaitQueue({ places: 1, patienceMs: 1, tooLong: () => new Error('too long') })
    const leave = await turnstile.enter()
    await expect(turnstile.enter()).rejects.toThrow('too long')
    leave()
    expect(await turnstile.enter()).toBeTypeOf('function')
  })
})
