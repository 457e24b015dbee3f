import { Problem } from '../values/problems.ts'
import { UnsupportedDatabase } from './unsupported-database.ts'

/**
 * Whether a database takes writes. Only an `open` one does. One that is `moving` to another database, or has `moved`, is read-only. An
 * `incomplete` copy cannot be used yet.
 */
export type InstallationState = 'open' | 'moving' | 'moved' | 'incomplete'

const why: Record<Exclude<InstallationState, 'open'>, string> = {
  moving: 'The installation is being moved to another database. Until that is done it can be read, not written; nothing was written.',
  moved: 'The installation has moved to another database. What is here can be read, not written; nothing was written.',
  incomplete: 'The installation is not completely copied yet; nothing was written.',
}

/** 503 `database_unavailable` if the installation is not open. A database without an installation takes writes. */
export function requireOpen(state: InstallationState | undefined): void {
  if (state === undefined || state === 'open') return
  throw new Problem('database_unavailable', why[state], { headers: { 'retry-after': '30' } })
}

/** Thrown for a copy that a move or a restore did not finish. */
export class IncompleteCopy extends UnsupportedDatabase {
  constructor() {
    super(
      'The database holds an incomplete copy of an installation. Run verso move or verso restore again, or go on with the database it came from.',
    )
    this.name = 'IncompleteCopy'
  }
}
