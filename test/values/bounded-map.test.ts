import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/values/bounded-map.ts'

const kept = (map: BoundedMap<string, number>, keys: string) => [...keys].filter((key) => map.get(key) !== undefined).join('')

describe('a bounded map', () => {
  it('lets the entry go that was set the longest ago, and never holds more than it may', () => {
    const map = new BoundedMap<string, number>(3)
    for (const [place, key] of [...'abcd'].entries()) map.set(key, place)
    expect([kept(map, 'abcd'), map.size]).toEqual(['bcd', 3])
  })

  it('counts an entry as new when it is set again, and not when it is read', () => {
    const map = new BoundedMap<string, number>(3)
    for (const key of 'abc') map.set(key, 1)
    map.set('a', 2)
    expect([map.get('a'), map.get('b'), map.size]).toEqual([2, 1, 3])
    map.set('d', 1)
    expect(kept(map, 'abcd')).toBe('acd')
  })

  it('forgets one entry, and all of them', () => {
    const map = new BoundedMap<string, number>(3)
    for (const key of 'abc') map.set(key, 1)
    map.delete('b')
    expect([kept(map, 'abc'), map.size]).toEqual(['ac', 2])
    map.clear()
    expect(map.size).toBe(0)
  })

  it('holds nothing where it may hold nothing', () => {
    const map = new BoundedMap<string, number>(0)
    map.set('a', 1)
    expect(map.size).toBe(0)
  })
})
