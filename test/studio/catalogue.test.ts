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

it.each([
  ['2026-05-03T11:59:00Z', '1 minute ago'],
  ['2026-05-03T11:00:31Z', '59 minutes ago'],
  ['2026-05-03T11:00:15Z', '1 hour ago'],
  ['2026-05-02T12:10:00Z', 'yesterday'],
  ['2026-04-27T12:00:00Z', '6 days ago'],
  ['2026-04-26T12:00:00Z', '26 Apr 2026'],
  ['2026-05-03T12:59:45Z', 'in 1 hour'],
])('from 12:00 on 3 May, %s is %s', async (instant, words) => {
  const { formatSince } = await catalogueFor('en-GB')
  expect(formatSince(instant, Date.parse('2026-05-03T12:00:00Z'))).toBe(words)
})
