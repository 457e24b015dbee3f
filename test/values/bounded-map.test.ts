import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/values/bounded-map.ts'

const kept = (map: BoundedMap<string, number>, keys: string) => [...keys].filter((key) => map.get(key) !== undefined).join('')

describe('a bounded map', () => {
  it('evicts the entry that was set first, and never has more than its limit', () => {
    const map = new BoundedMap<string, number>(3)
    for (const [place, key] of [...'abcd'].entries()) map.set(key, place)
    expect(kept(map, 'abcd')).toBe('bcd')
  })

  it('counts an entry as new when it is set again, and not when it is read', () => {
    const map = new BoundedMap<string, number>(3)
    for (const key of 'abc') map.set(key, 1)
    map.set('a', 2)
    expect([map.get('a'), kept(map, 'abc')]).toEqual([2, 'abc'])
    map.set('d', 1)
    expect(kept(map, 'abcd')).toBe('acd')
  })

  it('deletes an entry', () => {
    const map = new BoundedMap<string, number>(3)
    for (const key of 'abc') map.set(key, 1)
    map.delete('b')
    expect(kept(map, 'abc')).toBe('ac')
  })

  it('stays empty with a limit of 0', () => {
    const map = new BoundedMap<string, number>(0)
    map.set('a', 1)
    expect(kept(map, 'a')).toBe('')
  })
})
