import { IncompleteCopy } from '../../database/installation-state.ts'
import type { InstallationTable } from '../../database/tables.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'

/** What a move finds of itself in the database that it leads to. */
export type Ground = 'empty' | 'partial' | 'copied'

type Found = InstallationTable | undefined

/** Decides what is to be done, or refuses: only what is here can be moved, and only to where nothing is that could be lost. */
export function judgeMove(source: { place: string; found: Found }, target: { place: string; found: Found }): Ground {
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

/** The installation, unless there is none, or half of one. */
export function requireWhole(place: string, found: Found): InstallationTable {
  if (found === undefined) throw new UnsupportedDatabase(`${place} holds no installation.`)
  if (found.state === 'incomplete') throw new IncompleteCopy()
  return found
}

/** Another move, or `--cancel`, has taken hold of one of the two databases since this one began. */
export class MoveOvertaken extends UnsupportedDatabase {
  constructor(place: string) {
    super(`This move was given up: another one, or verso move --cancel, has taken hold of ${place}.`)
    this.name = 'MoveOvertaken'
  }
}
