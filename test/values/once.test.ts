import { expect, it } from 'vitest'
import { once } from '../../src/values/once.ts'

it('once: makes a value when it is first asked for, and only then', async () => {
  let made = 0
  const value = once(async () => ++made)
  expect(made).toBe(0)
  expect(await Promise.all([value(), value()])).toEqual([1, 1])
  expect(await value()).toBe(1)
})

it('once: after a failure, the next call tries again', async () => {
  let tries = 0
  const value = once(async () => {
    if (++tries === 1) throw new Error('not there yet')
    return tries
  })
  await expect(value()).rejects.toThrow('not there yet')
  expect(await value()).toBe(2)
})
