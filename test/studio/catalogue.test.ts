import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The catalogue as a page of a browser loads it. */
function catalogueFor(...languages: readonly string[]) {
  vi.stubGlobal('navigator', { languages })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.resetModules()
  return import('../../studio/i18n/catalogue.ts')
}

it.each([
  ['a region that writes dates in its own way', ['en-GB', 'en'], '3 May 2026'],
  ['a language name that Intl refuses, as Linux has it for LANG=C', ['en-US@posix'], 'May 3, 2026'],
  ['a language that the studio does not speak', ['xx', 'de-AT'], '03.05.2026'],
])('dates and numbers: %s', async (_, languages, date) => {
  const { formatDate, formatNumber, formatSince } = await catalogueFor(...languages)
  expect(formatDate('2026-05-03T12:00:00Z')).toBe(date)
  expect(formatNumber(12)).toBe('12')
  expect(formatSince('2026-05-03T12:00:00Z', Date.parse('2026-05-03T12:00:01Z'))).not.toBe('')
})
