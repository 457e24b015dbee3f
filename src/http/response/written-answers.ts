import type { WrittenAnswer } from '../../actions/idempotency/stored-response.ts'
import { tagOf, validatorOfThing } from './etag.ts'

/** How the result of a write is told: plain data, so that it can go wherever the write is done. */
export type Shape =
  | {
      readonly kind: 'created'
      /** The path under which the thing has its own, by its id. */
      readonly under: string
      /** The field that is a secret: never stored as it is. Neither it nor what holds it is shown of what was only tried. */
      readonly secret?: string
    }
  | { readonly kind: 'written' | 'deleted' }

/** What has a representation of its own. */
export interface Thing {
  readonly id: string
  readonly version?: number
}

/** Several outcomes in one answer, each with the status that it would have had alone. */
export interface Outcomes {
  readonly results: readonly { readonly status: number }[]
}

/** What an action can leave to be shown. */
export type Shown = Thing | Outcomes | undefined

/** The answer to a write that was done. */
export function toldOf(shape: Shape, basePath: string, shown: Shown): WrittenAnswer {
  if (shape.kind === 'deleted') return nothing
  if (shown === undefined) throw new Error('a write that shows something showed nothing')
  if ('results' in shown) return toldTogether(shown)
  const body = JSON.stringify(shown)
  const headers = {
    ...(shown.version !== undefined && { etag: tagOf(validatorOfThing(shown, body), 'identity') }),
    ...(shape.kind === 'created' && { location: `${basePath}${shape.under}/${shown.id}` }),
  }
  return { status: shape.kind === 'created' ? 201 : 200, headers, body, thingId: shown.id }
}

/** The answer to a write that was only tried: no way to a thing that is not there, and no tag of it (contract §4.8). */
export function triedOf(shape: Shape, shown: Shown): WrittenAnswer {
  if (shape.kind === 'deleted' || shown === undefined) return nothing
  if ('results' in shown) return toldTogether(shown)
  const secret = shape.kind === 'created' ? shape.secret : undefined
  const hidden = secret === undefined ? undefined : (shown as unknown as Readonly<Record<string, unknown>>)[secret]
  const holdsSecret = (value: unknown) => typeof hidden === 'string' && typeof value === 'string' && value.includes(hidden)
  const body = JSON.stringify(shown, (_, value) => (holdsSecret(value) ? undefined : value))
  return { status: 200, headers: {}, body, thingId: null }
}

const nothing: WrittenAnswer = { status: 204, headers: {}, body: '', thingId: null }

function toldTogether(outcomes: Outcomes): WrittenAnswer {
  const status = outcomes.results.every((each) => each.status < 400) ? 200 : 207
  return { status, headers: {}, body: JSON.stringify(outcomes), thingId: '' }
}
