import { type Instant, parseInstant, toInstant } from '../../../values/instant.ts'
import { fromWallClock, type Timezone } from './timezone.ts'

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`
/** Some tools repeat the year between time and offset, as `date` prints it. */
const zone = String.raw`(?:\s+(?<again>\d{4}))?\s*(?<zone>Z|[A-Z]{3}|[+-]\d{1,2}(?::?\d\d)?)?`
const time = `${clock}${zone}`
const numeric = new RegExp(String.raw`^(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:(?:T|\s+)${time})?$`, 'i')
const dayFirst = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\s+(?<name>[A-Z]{3,9})\.?`
const monthFirst = String.raw`(?<name>[A-Z]{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?`
const worded = [dayFirst, monthFirst].map(
  (day) => new RegExp(String.raw`^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?${day},?\s+(?<year>\d{4})(?:,?\s+${time})?$`, 'i'),
)
const months = 'january february march april may june july august september october november december'.split(' ')
/** As Go prints a time: the name of the zone behind its offset. */
const zoneTwice = / ([+-]\d{4}) [A-Z]{3,4}$/
/** Franklin's dates: `Date(2020, 1, 2)`. */
const ofJulia = /^(?:Dates\.)?Date\((\d{4}), ?(\d{1,2}), ?(\d{1,2})\)$/
const milliseconds = /^\d{13}$/
/** The names of RFC 2822 §4.3. Other abbreviations are ambiguous. */
const namedOffsets: Readonly<Record<string, string>> = {
  Z: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}
const maxLength = 64

/**
 * Parses dates as blogs write them: ISO 8601 with or without time, offset and leading zeros; `Jul 08 2022`; RFC 2822. A date without an
 * offset is in `timezone`; 13 digits are milliseconds since 1970. Undefined if the date does not exist or has another form.
 */
export function readDate(text: string, timezone: Timezone): Instant | undefined {
  if (milliseconds.test(text)) return toInstant(new Date(Number(text)))
  const parts = text.length > maxLength ? undefined : partsOf(text.trim())
  if (!parts?.year || (parts.again && parts.again !== parts.year)) return undefined
  const { year, hour = '0', minute = '00', second = '00', fraction = '0' } = parts
  const wall = `${year}-${twoDigits(monthOf(parts))}-${twoDigits(parts.day)}T${twoDigits(hour)}:${minute}:${second}.${fraction}`
  if (parts.zone) return parseInstant(wall + offsetOf(parts.zone))
  const local = parseInstant(`${wall}Z`)
  return local && inYears(fromWallClock(Date.parse(local), timezone))
}

/** Whether a date says in which zone it is. */
export function hasZone(text: string): boolean {
  return milliseconds.test(text) || (text.length <= maxLength && partsOf(text.trim())?.zone !== undefined)
}

type Parts = Readonly<Record<string, string | undefined>>

function partsOf(text: string): Parts | undefined {
  const date = ofJulia.exec(text)
  if (date) return partsOf(`${date.slice(1, 4).join('-')}`)
  for (const form of [numeric, ...worded]) {
    const found = form.exec(text.replace(zoneTwice, ' $1'))?.groups
    if (found) return found
  }
  return undefined
}

function monthOf({ month, name = '' }: Parts): string | undefined {
  if (month !== undefined) return month
  const word = name.toLowerCase()
  const index = months.findIndex((full) => full === word || full.slice(0, 3) === word || (word === 'sept' && full === 'september'))
  return index < 0 ? undefined : String(index + 1)
}

function twoDigits(digits = ''): string {
  return digits.padStart(2, '0')
}

function offsetOf(zone: string): string {
  const named = namedOffsets[zone.toUpperCase()]
  if (named || /[a-z]/i.test(zone)) return named ?? '?'
  const [, hours = '', minutes = '00'] = /^[+-](\d{1,2}?):?(\d\d)?$/.exec(zone) ?? []
  return `${zone.slice(0, 1)}${twoDigits(hours)}:${minutes}`
}

function inYears(moment: number): Instant | undefined {
  const year = new Date(moment).getUTCFullYear()
  return year < 1 || year > 9999 ? undefined : toInstant(new Date(moment))
}
