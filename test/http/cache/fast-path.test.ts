import { describe, expect, it } from 'vitest'
import { memoized } from '../../../src/http/cache/fast-path.ts'

describe('what is remembered of headers', () => {
  it('is what was said of them, until too many others come; long ones are not kept', () => {
    const asked: string[] = []
    const say = memoized((header) => {
      asked.push(header)
      return header.length % 2 === 0
    })
    expect([say('a'), say('ab'), say('a'), say('ab')]).toEqual([false, true, false, true])
    expect(asked).toEqual(['a', 'ab'])
    const long = 'x'.repeat(201)
    expect([say(long), say(long)]).toEqual([false, false])
    expect(asked).toEqual(['a', 'ab', long, long])
    for (let i = 0; i < 300; i++) expect(say(`${i}`)).toBe(`${i}`.length % 2 === 0)
    expect(say('a')).toBe(false)
    expect(asked.filter((header) => header === 'a')).toHaveLength(2)
  })
})
