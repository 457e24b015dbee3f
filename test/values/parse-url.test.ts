import { expect, it } from 'vitest'
import { parseUrl } from '../../src/values/parse-url.ts'

it('reads a URL with letters beyond ASCII as `new URL` does, however often it is asked', () => {
  const isUrl = (text: string) => parseUrl(text) !== undefined
  let refused = 0
  for (let i = 0; i < 20_000; i++) if (!isUrl('http://bücher.example/ä')) refused++
  expect(refused).toBe(0)
  expect([parseUrl('ä', 'https://a.example/')?.href, parseUrl('http://'), parseUrl('ä')]).toEqual([
    'https://a.example/%C3%A4',
    undefined,
    undefined,
  ])
})
