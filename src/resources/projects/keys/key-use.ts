import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'

/** Remembers when keys were used until it is written down: a read must not cost a write. */
export interface KeyUse {
  note(id: KeyId, at: Instant): void
  /** What was noted since it was last taken. */
  take(): readonly (readonly [KeyId, Instant])[]
}

export function rememberKeyUse(): KeyUse {
  let uses = new Map<KeyId, Instant>()
  return {
    note: (id, at) => void uses.set(id, at),
    take() {
      const taken = [...uses]
      uses = new Map()
      return taken
    },
  }
}
