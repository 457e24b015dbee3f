import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'

/** Collects when keys were used, to be stored later: a read must not cost a write. */
export interface KeyUse {
  note(id: KeyId, at: Instant): void
  /** Returns the uses since the last call. */
  take(): readonly (readonly [KeyId, Instant])[]
  /** Takes back uses that could not be stored. A later use of the same key stays. */
  giveBack(taken: readonly (readonly [KeyId, Instant])[]): void
}

export function openKeyUse(): KeyUse {
  let uses = new Map<KeyId, Instant>()
  return {
    note: (id, at) => void uses.set(id, at),
    take() {
      const taken = [...uses]
      uses = new Map()
      return taken
    },
    giveBack(taken) {
      uses = new Map([...taken, ...uses])
    },
  }
}
