import { once } from './catalogue.ts'

/** One's own time zone, as the browser knows it. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `2026-11-05T09:00`: what clocks in a zone show at a time. Swedish writes it so. */
export function wallTime(at: Date, timeZone = ownZone): string {
  const format = once(`wall ${timeZone}`, () => new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }))
  return format.format(at).replace(' ', 'T').padStart(16, '0')
}

const dayMs = 86_400_000

/**
 * The time at which clocks in a zone show `wall`; an invalid date for what is none. Of two such times it is the earlier. Where clocks leave
 * `wall` out, it is as long after their change as `wall` is after the time that they showed before it.
 */
export function timeOf(wall: string, timeZone = ownZone): Date {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return new Date(asUtc)
  const aheadAt = (ms: number) => Date.parse(`${wallTime(new Date(ms), timeZone)}Z`) - ms
  const [before, after] = [aheadAt(asUtc - dayMs), aheadAt(asUtc + dayMs)]
  const ahead = [before, after].find((each) => aheadAt(asUtc - each) === each)
  return new Date(asUtc - (ahead ?? before))
}

/** A zone that is not one's own, and that this browser knows. */
export function otherZone(timeZone: string): string | undefined {
  try {
    // The browser has one name for zones of several: Asia/Calcutta for Asia/Kolkata, say.
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === ownZone ? undefined : timeZone
  } catch {
    return undefined
  }
}
