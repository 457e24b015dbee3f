/** A time zone of the IANA database. */
export interface Timezone {
  readonly name: string
  /** How far clocks are ahead of UTC at a moment; both in milliseconds. */
  offsetAt(moment: number): number
}

const dayMs = 24 * 60 * 60 * 1000
const offset = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

export const utc: Timezone = { name: 'UTC', offsetAt: () => 0 }

/** The zone of this name, if there is one. */
export function findTimezone(name: string): Timezone | undefined {
  const format = formatFor(name)
  return format && { name, offsetAt: (moment) => readOffset(format, moment) }
}

/**
 * The moment at which clocks in a zone show a time, which is given as if it were UTC. Of a time that occurs twice it takes the earlier moment.
 * A time that is skipped is counted on from before the gap.
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
