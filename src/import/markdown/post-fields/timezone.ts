/** A time zone of the IANA database, for times that are written without an offset. */
export interface Timezone {
  readonly name: string
  /** Milliseconds by which clocks there are ahead of UTC at a moment (milliseconds since 1970). */
  offsetAt(moment: number): number
}

const dayMs = 24 * 60 * 60 * 1000
const offset = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

export const utc: Timezone = { name: 'UTC', offsetAt: () => 0 }

/** The zone of that name, or undefined when there is none. */
export function findTimezone(name: string): Timezone | undefined {
  const format = formatFor(name)
  return format && { name, offsetAt: (moment) => readOffset(format, moment) }
}

/**
 * The moment at which clocks in a zone show a time, given as if it were UTC. A time shown twice is the earlier moment; a time that is skipped
 * counts on from before the gap.
 */
export function fromWallClock(wall: number, zone: Timezone): number {
  const before = zone.offsetAt(wall - dayMs)
  const after = zone.offsetAt(wall + dayMs)
  const offset = [before, after].find((candidate) => zone.offsetAt(wall - candidate) === candidate)
  return wall - (offset ?? before)
}

function formatFor(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readOffset(format: Intl.DateTimeFormat, moment: number): number {
  const name = format.formatToParts(moment).find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = offset.exec(name) ?? []
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}
