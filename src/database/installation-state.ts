import { Problem } from '../values/problems.ts'
import { UnsupportedDatabase } from './unsupported-database.ts'

/**
 * Whether a database takes writes: it is `open`; or it is `moving` to another one, or has `moved` there, and is read only; or it is the
 * `incomplete` copy, which nobody uses yet.
 */
export type InstallationState = 'open' | 'moving' | 'moved' | 'incomplete'

const why: Record<Exclude<InstallationState, 'open'>, string> = {
  moving: 'The installation is being moved to another database. Until that is done it can be read, not written; nothing was written.',
  moved: 'The installation has moved to another database. What is here can be read, not written; nothing was written.',
  incomplete: 'The installation is not completely copied yet; nothing was written.',
}

/** 503 `database_unavailable` where the installation does not take writes. A database that holds none yet does. */
export function requireOpen(state: InstallationState | undefined): void {
  if (state === undefined || state === 'open') return
  throw new Problem('database_unavailable', why[state], { headers: { 'retry-after': '30' } })
}

/** The database is the copy that a move began and did not finish. */
export class IncompleteCopy extends UnsupportedDatabase {
  constructor() {
    super('The database holds an incomplete copy of an installation. Run verso move again, or go on with the database it came from.')
    this.name = 'IncompleteCopy'
  }
}
