import type { Authenticated } from '../../../actions/caller.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { Instant } from '../../../values/instant.ts'

/** The result of a key look-up. */
interface CachedAuthentication {
  authenticated: Authenticated
  /** The state of the database that the look-up read. */
  readonly state: number
  /** The earlier of the end of the token and the time of the next due post. */
  readonly until: Instant | null
}

interface AuthenticationCache {
  /** The result of a look-up in exactly this state. */
  find(token: string, state: number | undefined): CachedAuthentication | undefined
  add(token: string, entry: CachedAuthentication): void
}

const maxKeys = 10_000

/**
 * Caches two look-ups of each key: the latest, and the one in the last flushed state. While a newer state is being flushed, the fast path
 * continues with the older one.
 */
export function openAuthenticationCache(flushed: () => number | undefined): AuthenticationCache {
  const entries = new BoundedMap<string, readonly CachedAuthentication[]>(maxKeys)
  const find: AuthenticationCache['find'] = (token, state) => entries.get(token)?.find((each) => each.state === state)
  return {
    find,
    add(token, entry) {
      const older = find(token, flushed())
      entries.set(token, older && older.state !== entry.state ? [entry, older] : [entry])
    },
  }
}
