import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from '../../../../src/resources/posts/revisions/line-diff.ts'

const texts = fc.array(fc.constantFrom('a', 'b', 'c', '', ' x'), { maxLength: 12 }).map((lines) => lines.join('\n'))
const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i}`).join('\n')

describe('lineDiff', () => {
  it('is none for the same text', async () => {
    expect(await lineDiff('a\n', 'a\n')).toBeUndefined()
  })

  it('applied to the one text it gives the other, whatever their ends', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, after) => {
        const found = await lineDiff(before, after)
        expect(found ? applyPatch(before, found.diff) : before).toBe(after)
      }),
    )
  })

  it('texts with little in common: one takes the place of the other between what they share', async () => {
    const [before, after] = [`top\n${numbered('a', 2_000)}\nend\n`, `top\n${numbered('b', 3_000)}\nend\n`]
    const found = await lineDiff(before, after)
    expect([found?.added, found?.removed]).toEqual([3_000, 2_000])
    expect(applyPatch(before, found?.diff ?? '')).toBe(after)
    expect(applyPatch(numbered('a', 900), (await lineDiff(numbered('a', 900), numbered('b', 900)))?.diff ?? '')).toBe(numbered('b', 900))
  })

  it('of texts that take long to compare: gives turns to others meanwhile', async () => {
    const [before, after] = [numbered('x'.repeat(2_000), 500), numbered('x'.repeat(2_000), 500).replaceAll(/7$/gm, '8')]
    let turns = 0
    const counting = setInterval(() => turns++)
    expect(applyPatch(before, (await lineDiff(before, after))?.diff ?? '') === after).toBe(true)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(10)
  })

  it('of long texts: only what differs is compared, and a patch still applies', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(97 + ((i * 7_919) % 26)))
    const text = (changed: (at: number) => boolean, end = '\n') =>
      lines.map((line, at) => (changed(at) ? `${line}!` : line)).join('\n') + end
    const before = text(() => false)
    for (const [after, removed] of [
      [text((at) => at === 50_000), 1],
      [text((at) => at === 0 || at === 500), 2],
      [text((at) => at === 99_999, ''), 1],
      [text((at) => at % 50 === 0), 99_951],
      [text(() => true), 100_000],
    ] as const) {
      const found = await lineDiff(before, after)
      expect(applyPatch(before, found?.diff ?? '') === after).toBe(true)
      expect([found?.removed, found?.added]).toEqual([removed, removed])
    }
    for (const [one, other] of [
      ['', before],
      [before, ''],
      [`${before}x`, before],
    ] as const)
      expect(applyPatch(one, (await lineDiff(one, other))?.diff ?? '') === other).toBe(true)
  })
})
