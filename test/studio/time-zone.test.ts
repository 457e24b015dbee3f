import { assert, constantFrom, date, property } from 'fast-check'
import { expect, it } from 'vitest'
import { otherZone, ownZone, timeOf, wallTime } from '../../studio/i18n/time-zone.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
const minutes = date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }).map(
  (at) => new Date(at.setUTCSeconds(0, 0)),
)

it('a time is what its clocks show, read back: itself, or an hour or so earlier where clocks show it twice', () => {
  assert(
    property(minutes, constantFrom(...zones), (at, zone) => {
      const wall = wallTime(at, zone)
      const back = timeOf(wall, zone)
      const hours = (at.getTime() - back.getTime()) / 3_600_000
      expect(wallTime(back, zone)).toBe(wall)
      expect(hours === 0 || (hours > 0 && hours <= 3)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

it.each([
  ['2026-06-03T09:30', 'Europe/Berlin', '2026-06-03T07:30:00.000Z'],
  ['2026-12-03T09:30', 'Europe/Berlin', '2026-12-03T08:30:00.000Z'],
  // Clocks leave it out, as they do the whole day in Samoa.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  // They show it twice: the earlier.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ['2026-06-03T09:30', 'Asia/Kathmandu', '2026-06-03T03:45:00.000Z'],
])('%s in %s is %s', (wall, zone, time) => {
  expect(timeOf(wall, zone).toISOString()).toBe(time)
})

it('what is no time yet is an invalid date; a year that is being typed is a year', () => {
  for (const wall of ['', '2026-06-03T', 'x', '275760-12-31T00:00']) expect(timeOf(wall, 'UTC').getTime(), wall).toBeNaN()
  expect(wallTime(timeOf('0002-06-03T09:30', 'UTC'), 'UTC')).toBe('0002-06-03T09:30')
})

it('another zone is one that is known and has another name', () => {
  expect(['UTC', 'Asia/Tokyo', 'Europe/Atlantis', ownZone].map(otherZone).filter(Boolean)).toEqual(
    ['UTC', 'Asia/Tokyo'].filter((zone) => zone !== ownZone),
  )
})
