import type { Action } from '../../../actions/action.ts'
import { type Caller, requireScope } from '../../../actions/caller.ts'
import { showsErased } from '../../../actions/idempotency/stored-response.ts'
import { accepted, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import { attempt } from '../../../database/savepoint.ts'
import { shortTurns } from '../../../values/event-loop.ts'
import { isId, type Random } from '../../../values/ids.ts'
import { type Fault, isRefusal, Problem, toProblemBody } from '../../../values/problems.ts'
import { createPost, patchPost } from '../post-actions.ts'
import { countPosts } from '../post-store.ts'
import { deletePost, restoreTrashed } from '../post-trash-actions.ts'
import type { Batch, BatchStep } from './post-batch.ts'
import type { BatchResult, PostBatchResults } from './post-batch-schema.ts'

/** Runs several writes in order. Atomic: if one fails, none takes effect. Not atomic: each succeeds or fails by itself. */
export const batchPosts: Action<{ readonly body: Validated<Batch> }, PostBatchResults & { readonly [showsErased]?: true }> = {
  name: 'posts.batch',
  async run(tx, caller, { body }, random) {
    const { atomic, steps } = accepted(body)
    const results: BatchResult[] = []
    const giveWay = shortTurns()
    for (const [index, step] of steps.entries()) {
      // Reads go on between the steps.
      await giveWay()
      const done = () => runStep(tx, caller, step, random)
      try {
        results.push(await (atomic ? done() : attempt(tx, done)))
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (atomic) throw failedAt(index, step, error)
        results.push(refused(index, step, error))
      }
    }
    return { results, ...((await showErased(tx, caller, results)) && { [showsErased]: true }) }
  },
}

/** Whether the results show a post that a later operation has erased. */
async function showErased(tx: Tx, { projectId }: Caller, results: readonly BatchResult[]): Promise<boolean> {
  const firstDeletion = results.findIndex(({ status }) => status === 204)
  const shown = new Set(results.slice(0, Math.max(firstDeletion, 0)).flatMap(({ post }) => (post && isId('post', post.id) ? post.id : [])))
  return shown.size > 0 && (await countPosts(tx, projectId, [...shown])) < shown.size
}

async function runStep(tx: Tx, caller: Caller, step: BatchStep, random: Random): Promise<BatchResult> {
  if ('faults' in step) return accepted<BatchResult>({ ok: false, faults: step.faults, readable: {} })
  const { op } = step
  switch (step.op) {
    case 'create':
      return { op, status: 201, post: await createPost.run(tx, caller, step, random) }
    case 'update':
      return { op, status: 200, post: await patchPost.run(tx, caller, { ...step, idOrSlug: step.id }, random) }
    case 'restore':
      return { op, status: 200, post: await restoreTrashed.run(tx, caller, step, random) }
    case 'delete':
      if (step.permanent) requireScope(caller, 'posts:delete')
      await deletePost.run(tx, caller, { ...step, idOrSlug: step.id }, random)
      return { op, status: 204 }
  }
}

function failedAt(index: number, step: BatchStep, { code, detail, errors, members, headers }: Problem): Problem {
  return new Problem(code, `Operation ${index} (${step.op}) failed, so nothing was written. ${detail}`, {
    errors: errors.map((fault) => within(index, step, fault)),
    members: { ...members, operation: index },
    headers,
  })
}

function refused(index: number, step: BatchStep, problem: Problem): BatchResult {
  const { instance, requestId, ...told } = toProblemBody(problem, '', '')
  return { op: step.op, status: told.status, problem: { ...told, errors: told.errors.map((fault) => within(index, step, fault)) } }
}

/** A fault of one operation, with its place in the whole body. */
function within(index: number, step: BatchStep, fault: Fault): Fault {
  if (!('pointer' in fault)) return fault
  return { ...fault, pointer: `/operations/${index}${'faults' in step ? '' : '/body'}${fault.pointer}` }
}
