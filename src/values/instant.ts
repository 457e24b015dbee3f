declare const instant: unique symbol

/** A moment in UTC as `YYYY-MM-DDTHH:mm:ss.sssZ`, years 0001–9999. Its width is fixed, so that text order is time order on every engine. */
export type Instant = string & { readonly [instant]: true }

export const lastInstant = '9999-12-31T23:59:59.999Z' as Instant

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function toInstant(date: Date): Instant {
  return date.toISOString() as Instant
}

/** A clock of instants that is fast when it is read many times in a millisecond. */
export function instantsOf(clock: () => Date): () => Instant {
  let last = Number.NaN
  let instant: Instant = lastInstant
  return () => {
    const now = clock()
    if (now.getTime() !== last) instant = toInstant(now)
    last = now.getTime()
    return instant
  }
}

/** The instant `ms` milliseconds after another; before it if negative. */
export function later(moment: Instant, ms: number): Instant {
  return toInstant(new Date(Date.parse(moment) + ms))
}

/** Parses an RFC 3339 date-time with `Z` or an offset. Cuts digits after milliseconds. Refuses second 60 and days that do not exist. */
export function parseInstant(text: string): Instant | undefined {
  const parts = rfc3339.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  if (hour > 23 || minute > 59 || second > 59 || !dayExists(year, month, day)) return undefined
  const offset = offsetMinutes(parts[8] ?? 'Z')
  if (offset === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second, Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const utcYear = date.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : toInstant(date)
}

function dayExists(year: number, month: number, day: number): boolean {
  const days = longestMonths[month - 1]
  if (days === undefined || day < 1 || day > days) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month !== 2 || day < 29 || leap
}

function offsetMinutes(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const [hours, minutes] = text.slice(1).split(':').map(Number) as [number, number]
  if (hours > 23 || minutes > 59) return undefined
  return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1)
}
