import type { Tx } from '../../database/engine.ts'
import type { Random } from '../../values/ids.ts'
import type { Action } from '../action.ts'
import type { Caller } from '../caller.ts'
import {
  decrypt,
  encrypt,
  inProgress,
  maxWaitMs,
  type RepeatableRequest,
  requireRepeat,
  responseHorizon,
  type StoredResponse,
  type WrittenResponse,
} from './stored-response.ts'
import { deleteOldResponses, findStoredResponse, storeResponse } from './stored-response-store.ts'

/** A response, and whether it is that of an earlier request. */
interface IdempotentResult {
  readonly response: WrittenResponse
  readonly replayed: boolean
}

interface IdempotentInput<I> {
  readonly input: I
  /** Undefined if the request has no `Idempotency-Key`. */
  readonly repeatable: RepeatableRequest | undefined
}

/**
 * An action that stores its response in its own transaction. A repeat of the request gets the stored response, and one that comes while the
 * first is running waits for it (docs/reference/api.md#idempotency). A refused request stores nothing.
 */
export function idempotent<I, R>(
  action: Action<I, R>,
  respond: (result: R) => Promise<WrittenResponse>,
): Action<IdempotentInput<I>, IdempotentResult> {
  return {
    name: action.name,
    async run(tx, caller, { input, repeatable }, random) {
      const stored = repeatable && (await findRepeat(tx, caller, repeatable))
      if (stored) return { response: stored, replayed: true }
      const response = await respond(await action.run(tx, caller, input, random))
      if (repeatable)
        await storeResponse(tx, caller, repeatable.key, { ...stateOf(response, repeatable, random), requestHash: repeatable.hash })
      return { response, replayed: false }
    },
  }
}

/** A response as it is stored. */
function stateOf(response: WrittenResponse, { encryptionKey }: RepeatableRequest, random: Random): Omit<StoredResponse, 'requestHash'> {
  if (response.isErased) return { ...response, headers: {}, body: '', bodyState: 'erased' }
  if (encryptionKey === undefined) return { ...response, bodyState: 'plain' }
  return { ...response, body: encrypt(response.body, encryptionKey, random), bodyState: 'encrypted' }
}

/** Deletes expired responses, `most` at most, and returns how many there were. */
export const pruneResponses: Action<{ readonly most: number }, number> = {
  name: 'idempotency.prune',
  run: (tx, { projectId, now }, { most }) => deleteOldResponses(tx, projectId, responseHorizon(now), most),
}

async function findRepeat(tx: Tx, caller: Caller, { key, hash, encryptionKey }: RepeatableRequest): Promise<WrittenResponse | undefined> {
  const name = `idempotency ${caller.projectId} ${caller.actor} ${key}`
  if (!(await tx.engine.awaitClaim(tx, name, maxWaitMs))) throw inProgress()
  const stored = await findStoredResponse(tx, caller, key)
  if (!stored) return undefined
  requireRepeat(stored, hash)
  const isReadable = stored.bodyState === 'encrypted' && encryptionKey !== undefined
  return isReadable ? { ...stored, body: decrypt(stored.body, encryptionKey) } : stored
}
