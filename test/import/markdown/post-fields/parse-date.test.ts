import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate } from '../../../../src/import/markdown/post-fields/parse-date.ts'
import { findTimezone, fromWallClock, type Timezone, utc } from '../../../../src/import/markdown/post-fields/timezone.ts'

function zone(name: string): Timezone {
  const found = findTimezone(name)
  if (!found) throw new Error(`no zone ${name}`)
  return found
}

describe('a date is read', () => {
  it.each([
    ['2013-05-06 02:12:52 +0200', '2013-05-06T00:12:52.000Z'],
    ['2023-01-29 18:30:22 2023 -0800', '2023-01-30T02:30:22.000Z'],
    ['2012-08-03T18:21:40.349-0400', '2012-08-03T22:21:40.349Z'],
    ['2026-1-13T00:00:00.000Z', '2026-01-13T00:00:00.000Z'],
    ['2019-06-01 15:40', '2019-06-01T15:40:00.000Z'],
    ['2019-06-01t15:40:01,5z', '2019-06-01T15:40:01.500Z'],
    ['2019-06-01 15:40:01.123456789 UTC', '2019-06-01T15:40:01.123Z'],
    ['2019-06-01 9:05 +05:30', '2019-06-01T03:35:00.000Z'],
    ['2019-06-01 09:05:00 +0200 CEST', '2019-06-01T07:05:00.000Z'],
    ['2019-06-01 09:05 +02', '2019-06-01T07:05:00.000Z'],
    ['2019-06-01', '2019-06-01T00:00:00.000Z'],
    ['2020-9-25', '2020-09-25T00:00:00.000Z'],
    ['2020/9/25 10:00', '2020-09-25T10:00:00.000Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000Z'],
    ['Jul 08 2022', '2022-07-08T00:00:00.000Z'],
    ['Date(2022, 7, 8)', '2022-07-08T00:00:00.000Z'],
    ['1657238400123', '2022-07-08T00:00:00.123Z'],
    ['July 8th, 2022', '2022-07-08T00:00:00.000Z'],
    ['8 Sept. 2022 10:30', '2022-09-08T10:30:00.000Z'],
    ['Fri, 08 Jul 2022 10:30:15 GMT', '2022-07-08T10:30:15.000Z'],
    ['Fri, 08 Jul 2022 10:30:15 -0700', '2022-07-08T17:30:15.000Z'],
    ['Friday 8 July 2022 10:30 EST', '2022-07-08T15:30:00.000Z'],
    ['  2019-06-01  ', '2019-06-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ])('%j is %s', (text, instant) => {
    expect(readDate(text, utc)).toBe(instant)
  })

  it.each([
    ['2019-02-30'],
    ['2019-13-01'],
    ['2019-00-10'],
    ['2019-06-31 10:00'],
    ['2019-06-01 24:00'],
    ['2019-06-01 10:60'],
    ['2019-06-01 10:00:60'],
    ['2019-06-01 10:00 2018 +0100'],
    ['2019-06-01 10:00 CET'],
    ['2019-06-01 10:00 +25:00'],
    ['2019-06/01'],
    ['0000-01-01'],
    ['9999-12-31 23:59 -01:00'],
    ['Foo 08 2022'],
    ['Feb 30 2022'],
    ['yesterday'],
    ['20190601'],
    ['1312345678'],
    [''],
    [`2019-06-01${' '.repeat(100_000)}x`],
  ])('%.40j is refused', (text) => {
    expect(readDate(text, utc)).toBeUndefined()
  })

  it('as the same instant in every form', () => {
    const dates = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(dates, fc.integer({ min: -839, max: 839 }), (date, offset) => {
        const [day = '', time = ''] = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1).split('T')
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
        const sign = offset < 0 ? '-' : '+'
        expect(readDate(`${day}T${time}${sign}${hours}:${minutes}`, utc)).toBe(date.toISOString())
        expect(readDate(`${day.replaceAll('-', '/')} ${time} ${sign}${hours}${minutes}`, utc)).toBe(date.toISOString())
      }),
    )
  })

  it('or refused, but never thrown over', () => {
    const text = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', '-', '/', ':', ' ', 'T', 'Z', '+', '.', 'Jul', 'Mon', ',') })
    fc.assert(fc.property(text, (any) => void readDate(any, utc)))
  })
})

describe('a time without an offset is one of the zone given', () => {
  it.each([
    ['2022-01-10 12:00', 'Europe/Berlin', '2022-01-10T11:00:00.000Z'],
    ['2022-07-10 12:00', 'Europe/Berlin', '2022-07-10T10:00:00.000Z'],
    ['2022-07-10', 'America/New_York', '2022-07-10T04:00:00.000Z'],
    ['2022-07-10 12:00', 'Asia/Kolkata', '2022-07-10T06:30:00.000Z'],
    ['2022-07-10 12:00 +0000', 'Asia/Kolkata', '2022-07-10T12:00:00.000Z'],
    ['2022-10-30 02:30', 'Europe/Berlin', '2022-10-30T00:30:00.000Z'],
    ['2022-03-27 02:30', 'Europe/Berlin', '2022-03-27T01:30:00.000Z'],
    ['2022-04-03 01:45', 'Australia/Lord_Howe', '2022-04-02T14:45:00.000Z'],
  ])('%s in %s is %s', (text, name, instant) => {
    expect(readDate(text, zone(name))).toBe(instant)
  })

  it('clocks there show that time at that moment, unless it was skipped', () => {
    const zones = fc.constantFrom('Europe/London', 'America/Sao_Paulo', 'Pacific/Auckland', 'Asia/Tehran', 'UTC').map(zone)
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 2_000_000_000 }), (somewhere, seconds) => {
        const wall = seconds * 1000
        const moment = fromWallClock(wall, somewhere)
        const shown = moment + somewhere.offsetAt(moment)
        if (shown !== wall) expect(somewhere.offsetAt(moment - 1)).toBeLessThanOrEqual(somewhere.offsetAt(moment))
        expect(Math.abs(shown - wall)).toBeLessThanOrEqual(3_600_000)
      }),
    )
  })

  it('a zone that is none is not found', () => {
    expect(findTimezone('Europe/Atlantis')).toBeUndefined()
    expect(findTimezone('')).toBeUndefined()
  })

  it('a date pushed out of the years by its zone is refused', () => {
    expect(readDate('0001-01-01 00:00', zone('Asia/Tokyo'))).toBeUndefined()
  })
})
