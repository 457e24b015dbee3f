import { type Authenticated, type Sight, sightOf } from '../actions/caller.ts'
import type { Db, Engine } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import type { ProjectId } from '../values/ids.ts'

/** What was read, and the revision of the log at which all of it was read. */
export interface AtRevision<T> {
  readonly value: T
  readonly revision: number
  /** The same revision can have another value soon, so this one is not for caches. */
  readonly isTransient?: true
}

/** Reads statements that belong together. Undefined if it found that the log has moved on. */
type Work<T> = (db: Db, revision: number) => Promise<T | undefined>

/** How a request reads what depends on the revision of the log. */
export interface Reads {
  readonly db: Db
  readonly sight: Sight
  /** The revision that the caller may know of. Reads may see a later one. */
  readonly revision: number
  /** For reads that take about the same time for any number of posts. If a write falls between its statements, reads again over a snapshot. */
  short<T>(work: Work<T>): Promise<AtRevision<T>>
  /** For all others: over one snapshot, beside the event loop. */
  long<T>(work: Work<T>): Promise<AtRevision<T>>
}

interface Readable extends Pick<Engine, 'db' | 'longRead'> {
  readonly durability: Engine['durability'] | undefined
}

/** `untilGone` gives a signal that aborts when the client has gone away. */
export function readsFor({ db, durability, longRead }: Readable, authenticated: Authenticated, untilGone: () => AbortSignal): Reads {
  const { caller, revision, state } = authenticated
  const sight = sightOf(caller)
  // Without a commit of any process since authentication, every statement has seen that state.
  const isUntouched = () => state !== undefined && durability?.readable() === state

  const long = <T>(work: Work<T>) =>
    longRead({ name: caller.actor, projectId: caller.projectId, untilGone }, async (snapshot) => {
      // The snapshot has begun, so it is of that state if nothing has been committed by now.
      const seen = isUntouched() ? revision : await revisionInSight(snapshot, sight)
      const value = await work(snapshot, seen)
      if (value === undefined) throw new Error('a snapshot changed while it was read')
      return { value, revision: seen }
    })

  return {
    db,
    sight,
    revision,
    long,
    async short(work) {
      const value = await work(db, revision)
      // Revisions only grow. If it is the same before and after, all statements saw that revision.
      const isSame = value !== undefined && (isUntouched() || (await revisionInSight(db, sight)) === revision)
      return isSame ? { value, revision } : long(work)
    },
  }
}

async function revisionInSight(db: Db, { projectId, drafts }: Sight): Promise<number> {
  const [row] = await revisions(db, { projectId })
  return row?.[drafts ? 'revision' : 'public_revision'] ?? 0
}

const revisions = prepared((db, { projectId }: { readonly projectId: ProjectId }) =>
  db.selectFrom('project_state').select(['revision', 'public_revision']).where('project_id', '=', projectId),
)
