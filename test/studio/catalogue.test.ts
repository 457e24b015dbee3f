import { afterEach, expect, it, vi } from 'vitest'
import { formatDate, formatNumber, formatSince } from '../../studio/i18n/catalogue.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function browserSpeaks(...languages: readonly string[]): void {
  vi.stubGlobal('navigator', { languages })
  vi.stubGlobal('localStorage', { getItem: () => null })
}

it.each([
  ['a region that writes dates in its own way', ['en-GB', 'en'], '3 May 2026'],
  ['a language name that Intl refuses, as Linux has it for LANG=C', ['en-US@posix'], 'May 3, 2026'],
  ['a language that the studio does not speak', ['xx', 'de-AT'], '03.05.2026'],
])('dates and numbers: %s', (_, languages, date) => {
  browserSpeaks(...languages)
  expect(formatDate('2026-05-03T12:00:00Z')).toBe(date)
  expect(formatNumber(12)).toBe('12')
  expect(formatSince('2026-05-03T12:00:00Z', Date.parse('2026-05-03T12:00:01Z'))).not.toBe('')
})
