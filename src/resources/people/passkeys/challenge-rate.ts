import { BoundedMap } from '../../../values/bounded-map.ts'
import { Problem } from '../../../values/problems.ts'

/** Challenges to sign in that an address may ask for in a minute, of each node. An address can be that of an office. */
const maxInMinute = 60
const windowMs = 60_000
/** About 2 MiB. An address that falls out of it begins again. */
const maxAddresses = 10_000

/** Counts a challenge that an address asks for: 429 beyond the limit, so that no address pushes out the challenges of others. */
type AdmitChallenge = (address: string, nowMs: number) => void

export function limitChallenges(): AdmitChallenge {
  const byAddress = new BoundedMap<string, { count: number; readonly endsAtMs: number }>(maxAddresses)
  return (address, nowMs) => {
    const known = byAddress.get(address)
    const isCurrent = known !== undefined && known.endsAtMs > nowMs && known.endsAtMs <= nowMs + windowMs
    const asked = isCurrent ? known : { count: 0, endsAtMs: nowMs + windowMs }
    asked.count++
    byAddress.set(address, asked)
    if (asked.count <= maxInMinute) return
    const seconds = String(Math.ceil((asked.endsAtMs - nowMs) / 1_000))
    throw new Problem('rate_limited', `This address asks for passkeys too often; try again in ${seconds} s.`, {
      headers: { 'retry-after': seconds },
    })
  }
}
