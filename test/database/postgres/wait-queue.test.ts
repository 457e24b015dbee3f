import { describe, expect, it } from 'vitest'
import { openWaitQueue } from '../../../src/database/postgres/wait-queue.ts'

const patient = { maxWaitMs: 60_000, timeoutError: () => new Error('too long') }

describe('a wait queue', () => {
  it('lets in as many as it has places for, and the others in the order of their coming', async () => {
    const queue = openWaitQueue({ places: () => 2, ...patient })
    const inside: string[] = []
    const authenticated = async (name: string) => {
      const leave = await queue.enter()
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

  it('lets those in who wait before somebody who comes when there are more places', async () => {
    let places = 1
    const queue = openWaitQueue({ places: () => places, ...patient })
    const inside: string[] = []
    const enter = (name: string) => queue.enter().then(() => inside.push(name))
    await enter('a')
    const others = [enter('b'), enter('c')]
    places = 3
    void enter('d').catch(() => undefined)
    await Promise.all(others)
    expect(inside).toEqual(['a', 'b', 'c'])
    queue.rejectAll(new Error('closed'))
  })

  it('has a place again for each that was given back, and no more', async () => {
    const queue = openWaitQueue({ places: () => 1, ...patient })
    for (let turn = 0; turn < 10; turn++) (await queue.enter())()
    await queue.enter()
    const next = queue.enter()
    queue.rejectAll(new Error('closed'))
    await expect(next).rejects.toThrow('closed')
  })

  it('sends away who has waited too long, and lets the next one in all the same', async () => {
    const queue = openWaitQueue({ places: () => 1, maxWaitMs: 1, timeoutError: () => new Error('too long') })
    const leave = await queue.enter()
    await expect(queue.enter()).rejects.toThrow('too long')
    leave()
    expect(await queue.enter()).toBeTypeOf('function')
  })
})
