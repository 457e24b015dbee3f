import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchLookUps } from '../../../../src/resources/projects/keys/batch-loader.ts'

/** Look-ups that are answered when a test says so. */
function held(most: number) {
  const sent: { readonly names: readonly string[]; answer(): void; refuse(error: Error): void }[] = []
  const lookUp = batchLookUps<string>({
    most,
    find: (names) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(new Map(names.filter((name) => name !== 'nobody').map((name) => [name, `found ${name}`])))
        sent.push({ names, answer, refuse: reject })
      }),
  })
  return { sent, lookUp, names: () => sent.map(({ names }) => names) }
}

/** The turn of the event loop is over, and what was to be sent after it is sent. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('joined look-ups', () => {
  it('all of one turn of the event loop are one, each name once, and who is nobody is not found', async () => {
    const { sent, lookUp, names } = held(1)
    const asked = ['a', 'b', 'a', 'nobody'].map((name) => lookUp(name))
    expect(names()).toEqual([])
    await turn()
    expect(names()).toEqual([['a', 'b', 'nobody']])
    sent[0]?.answer()
    expect(await Promise.all(asked)).toEqual(['found a', 'found b', 'found a', undefined])
  })

  it('what is asked for after one was sent goes with the next, even while the first is out', async () => {
    const { sent, lookUp, names } = held(2)
    const first = lookUp('a')
    await turn()
    const second = lookUp('a')
    await turn()
    expect(names()).toEqual([['a'], ['a']])
    sent[1]?.answer()
    expect(await second).toBe('found a')
    sent[0]?.answer()
    expect(await first).toBe('found a')
  })

  it('no more are out than may be; what is asked for meanwhile goes together once one is back', async () => {
    const { sent, lookUp, names } = held(1)
    const first = lookUp('a')
    await turn()
    const others = ['b', 'c'].map((name) => lookUp(name))
    await turn()
    const later = lookUp('d')
    await turn()
    expect(names()).toEqual([['a']])
    sent[0]?.answer()
    await first
    await turn()
    await turn()
    expect(names()).toEqual([['a'], ['b', 'c', 'd']])
    sent[1]?.answer()
    expect(await Promise.all([...others, later])).toEqual(['found b', 'found c', 'found d'])
  })

  it('one that fails is told to those alone who are in it, and the next is sent', async () => {
    const { sent, lookUp } = held(1)
    const failing = [lookUp('a'), lookUp('b')]
    await turn()
    const next = lookUp('a')
    sent[0]?.refuse(new Error('away'))
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    sent[1]?.answer()
    expect(await next).toBe('found a')
  })

  it('whatever comes when: everybody is told what was so after they asked', async () => {
    const moment = fc.record({ writes: fc.nat(2), asks: fc.nat(3), answers: fc.nat(2), turns: fc.boolean() })
    const run = async (most: number, moments: readonly { writes: number; asks: number; answers: number; turns: boolean }[]) => {
      let version = 0
      let out = 0
      const waiting: (() => void)[] = []
      const lookUp = batchLookUps<number>({
        most,
        find: async (names) => {
          expect(++out).toBeLessThanOrEqual(most)
          const seen = version
          await new Promise<void>((resolve) => waiting.push(resolve))
          out--
          return new Map(names.map((name) => [name, seen]))
        },
      })
      const asked: Promise<void>[] = []
      const ask = async () => {
        const before = version
        expect(await lookUp('key')).toBeGreaterThanOrEqual(before)
      }
      for (const { writes, asks, answers, turns } of moments) {
        version += writes
        for (let i = 0; i < asks; i++) asked.push(ask())
        for (let i = 0; i < answers; i++) waiting.shift()?.()
        await (turns ? turn() : Promise.resolve())
      }
      const done = Promise.all(asked).then(() => true)
      for (let isDone = false; !isDone; isDone = await Promise.race([done, turn().then(() => false)])) waiting.shift()?.()
      await done
    }
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(moment, { maxLength: 30 }), run))
  })
})
