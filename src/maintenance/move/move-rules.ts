import { IncompleteCopy } from '../../database/installation-state.ts'
import type { InstallationTable } from '../../database/tables.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'

/** What a move finds in its target: nothing, what an interrupted move left, or the complete copy of this very move. */
export type TargetState = 'empty' | 'partial' | 'copied'

type Found = InstallationTable | undefined

/** Refuses a move from a database without an installation, and one to a database that has data of its own. */
export function requireMovable(source: { place: string; found: Found }, target: { place: string; found: Found }): TargetState {
  const installation = requireWhole(source.place, source.found)
  const { state, move, moved_to } = installation
  const isSame = move !== null && move === target.found?.move
  if (isSame && state === 'moved' && target.found?.state === 'incomplete') return 'copied'
  if (state === 'moved')
    throw new UnsupportedDatabase(`${source.place} has moved to ${moved_to} already; verso move --cancel would make it take writes again.`)
  if (target.found === undefined) return 'empty'
  if (target.found.state === 'incomplete') return 'partial'
  throw new UnsupportedDatabase(`${target.place} holds an installation already; a move needs an empty database.`)
}

/** The installation; throws if there is none or it is an incomplete copy. */
export function requireWhole(place: string, found: Found): InstallationTable {
  if (found === undefined) throw new UnsupportedDatabase(`${place} holds no installation.`)
  if (found.state === 'incomplete') throw new IncompleteCopy()
  return found
}

/** Another move, or `--cancel`, has taken over one of the two databases since this move began. */
export class MoveSuperseded extends UnsupportedDatabase {
  constructor(place: string) {
    super(`This move was given up: another one, or verso move --cancel, has taken hold of ${place}.`)
    this.name = 'MoveSuperseded'
  }
}
