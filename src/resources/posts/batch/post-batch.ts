import { parseIfMatch, type VersionCheck } from '../../../actions/if-match.ts'
import { validatorOf } from '../../../actions/validation/validate.ts'
import type { Validated } from '../../../actions/validation/validated.ts'
import type { Fault } from '../../../values/problems.ts'
import type { PostCreate, PostPatch, PostRestore } from '../post-schema.ts'
import { BatchFrame } from './post-batch-schema.ts'

type Frame = BatchFrame['operations'][number]

/** One write of a batch, validated. */
export type BatchStep =
  | { readonly op: 'create'; readonly body: Validated<PostCreate> }
  | { readonly op: 'update'; readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<PostPatch> }
  | { readonly op: 'delete'; readonly id: string; readonly ifMatch: VersionCheck; readonly permanent: boolean }
  | { readonly op: 'restore'; readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<PostRestore> }
  /** An operation whose parts do not go together. */
  | { readonly op: Frame['op']; readonly faults: readonly Fault[] }

export interface Batch {
  readonly atomic: boolean
  readonly steps: readonly BatchStep[]
}

/** The validators of the bodies that write one post. Each takes milliseconds to compile, so it is compiled once. */
interface PostBodies {
  create(body: unknown): Validated<PostCreate>
  update(body: unknown): Validated<PostPatch>
  restore(body: unknown): Validated<PostRestore>
}

/** Makes the validator of a batch. It validates each body by itself, so that a fault belongs to one operation. */
export function batchChecker(bodies: PostBodies, epoch: string): (body: unknown) => Validated<Batch> {
  const frame = validatorOf(BatchFrame)
  return (body) => {
    const checked = frame(body)
    if (!checked.ok) return { ok: false, faults: checked.faults, readable: {} }
    const { atomic = true, operations } = checked.value
    return { ok: true, value: { atomic, steps: operations.map((operation) => toStep(operation, bodies, epoch)) } }
  }
}

function toStep(frame: Frame, bodies: PostBodies, epoch: string): BatchStep {
  const { op, id = '', body, permanent = false } = frame
  const faults = frameFaults(frame)
  if (faults.length > 0) return { op, faults }
  const ifMatch = versionsOf(frame.ifMatch, epoch)
  switch (op) {
    case 'create':
      return { op, body: bodies.create(body) }
    case 'update':
      return { op, id, ifMatch, body: bodies.update(body) }
    case 'delete':
      return { op, id, ifMatch, permanent }
    case 'restore':
      return { op, id, ifMatch, body: bodies.restore(body ?? {}) }
  }
}

type Part = Exclude<keyof Frame, 'op'>

/** The parts that each operation takes; `!` marks a required one. */
const parts: Readonly<Record<Frame['op'], readonly (Part | `${Part}!`)[]>> = {
  create: ['body!'],
  update: ['id!', 'ifMatch', 'body!'],
  delete: ['id!', 'ifMatch', 'permanent'],
  restore: ['id!', 'ifMatch', 'body'],
}

function frameFaults(frame: Frame): readonly Fault[] {
  const takes = parts[frame.op]
  const missing = takes.flatMap((part) => (part.endsWith('!') && !(part.slice(0, -1) in frame) ? [part.slice(0, -1)] : []))
  const needless = Object.keys(frame).filter((part) => part !== 'op' && !takes.some((taken) => taken.replace('!', '') === part))
  return [
    ...missing.map((part) => ({ pointer: `/${part}`, code: 'required', detail: `${part} is required to ${frame.op} a post.` })),
    ...needless.map((part) => ({ pointer: `/${part}`, code: 'not_allowed', detail: `${part} is not allowed to ${frame.op} a post.` })),
  ]
}

function versionsOf(ifMatch: number | string | undefined, epoch: string): VersionCheck {
  if (ifMatch === undefined) return 'any'
  return typeof ifMatch === 'number' ? [ifMatch] : parseIfMatch(ifMatch, epoch)
}
