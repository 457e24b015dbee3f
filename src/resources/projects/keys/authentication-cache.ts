import type { Authenticated } from '../../../actions/caller.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'

/** The result of a key look-up. */
interface CachedAuthentication {
  readonly id: KeyId
  authenticated: Authenticated
  /** The state of the database in which it was found. */
  readonly state: number
  /** The earlier of the expiry of the key and the time of the next due post. */
  readonly until: Instant | null
}

interface AuthenticationCache {
  /** The result found in exactly this state. */
  find(token: string, state: number | undefined): CachedAuthentication | undefined
  keep(token: string, found: CachedAuthentication): void
}

const maxKeys = 10_000

/**
 * Keeps two look-ups of each key: the latest, and the one in the last state that is known to be on the disk. While a newer state is being
 * flushed, the fast path goes on answering from the older one.
 */
export function openAuthenticationCache(flushed: () => number | undefined): AuthenticationCache {
  const remembered = new BoundedMap<string, readonly CachedAuthentication[]>(maxKeys)
  const find: AuthenticationCache['find'] = (token, state) => remembered.get(token)?.find((each) => each.state === state)
  return {
    find,
    keep(token, found) {
      const older = find(token, flushed())
      remembered.set(token, older && older.state !== found.state ? [found, older] : [found])
    },
  }
}
