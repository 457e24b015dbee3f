import type { Authenticated } from '../../../actions/caller.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'

/** What a look-up of a key found. */
interface CachedAuthentication {
  readonly id: KeyId
  authenticated: Authenticated
  /** The state of the database that it was found in. */
  readonly state: number
  /** When the key expires or the next post is due. */
  readonly until: Instant | null
}

interface AuthenticationCache {
  /** What was found in this very state. */
  find(token: string, state: number | undefined): CachedAuthentication | undefined
  keep(token: string, found: CachedAuthentication): void
}

/** Keys that are remembered at once. */
const maxKeys = 10_000

/**
 * Two look-ups of each key: the last one, and the one in the last state that is known to be on the disk, which `flushed` tells. While that
 * state is being overtaken, requests at the door go on being answered from it.
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
