import type { Tx } from '../../database/engine.ts'
import type { Action } from '../action.ts'
import type { Caller } from '../caller.ts'
import { sealed, unsealed } from './encryption.ts'
import { answerHorizon, inProgress, patienceMs, type RepeatableRequest, requireRepeat, type WrittenResponse } from './stored-response.ts'
import { deleteOldAnswers, findStoredResponse, storeResponse } from './stored-response-store.ts'

/** An answer, and whether it was given before. */
interface GivenAnswer {
  readonly answer: WrittenResponse
  readonly replayed: boolean
}

interface Once<I> {
  readonly input: I
  /** None where the client did not say how it would know the request again. */
  readonly repeatable: RepeatableRequest | undefined
}

/**
 * An action together with its answer, both in one transaction: a repeat of a request that was done is answered as the first one was, and
 * one that comes while the first runs waits for it (docs/reference/api.md#idempotency). A refused request stores nothing.
 */
export function once<I, R>(action: Action<I, R>, tell: (result: R) => WrittenResponse): Action<Once<I>, GivenAnswer> {
  return {
    name: action.name,
    async run(tx, caller, { input, repeatable }, random) {
      const before = repeatable && (await findGiven(tx, caller, repeatable))
      if (before) return { answer: before, replayed: true }
      const answer = tell(await action.run(tx, caller, input, random))
      if (repeatable) {
        const { key, hash, seal } = repeatable
        const body = seal === undefined ? answer.body : sealed(answer.body, seal, random)
        await storeResponse(tx, caller, key, { ...answer, body, bodyState: seal === undefined ? 'plain' : 'encrypted', requestHash: hash })
      }
      return { answer, replayed: false }
    },
  }
}

/** Forgets answers that were kept for their time. Returns how many there were. */
export const pruneAnswers: Action<{ readonly most: number }, number> = {
  name: 'idempotency.prune',
  run: (tx, { projectId, now }, { most }) => deleteOldAnswers(tx, projectId, answerHorizon(now), most),
}

async function findGiven(tx: Tx, caller: Caller, { key, hash, seal }: RepeatableRequest): Promise<WrittenResponse | undefined> {
  const name = `idempotency ${caller.projectId} ${caller.actor} ${key}`
  if (!(await tx.engine.await(tx, name, patienceMs))) throw inProgress()
  const stored = await findStoredResponse(tx, caller, key)
  if (!stored) return undefined
  requireRepeat(stored, hash)
  return stored.bodyState === 'encrypted' && seal !== undefined ? { ...stored, body: unsealed(stored.body, seal) } : stored
}
