import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

/** The fields that a change of status sets: docs/reference/api.md#status. */
interface State {
  readonly status: string
  readonly publishedAt: string | null
  readonly scheduledFor: string | null
}

/** The same with what is behind it: how often it changed, when it first went out, and whether it is in the trash. */
interface Model extends State {
  readonly version: number
  readonly first: string | null
  readonly trashed: boolean
}

/** A date as so many minutes from now, or none. */
type Offset = number | null

type Step =
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'patch'; readonly status?: string; readonly publishedAt?: Offset; readonly scheduledFor?: Offset }
  | { readonly kind: 'trash' }
  | { readonly kind: 'restore' }

const status = fc.constantFrom('draft', 'scheduled', 'published', 'archived')
const offset = fc.option(fc.integer({ min: -120, max: 120 }))
const patch = fc.record(
  { kind: fc.constant('patch' as const), status, publishedAt: offset, scheduledFor: offset },
  { requiredKeys: ['kind'] },
)
/** A patch that is likely to be taken: with the date that its status needs. */
const fitting = fc.oneof(
  status.filter((each) => each !== 'scheduled').map((each) => ({ kind: 'patch' as const, status: each })),
  fc.integer({ min: 1, max: 120 }).map((minutes) => ({ kind: 'patch' as const, status: 'scheduled', scheduledFor: minutes })),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fitting },
  { weight: 3, arbitrary: patch },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 90 }) }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'trash' as const }, { kind: 'restore' as const }) },
)

const at = (now: number, minutes: number) => new Date(now + minutes * 60_000).toISOString()

/** What a patch makes of a post by docs/reference/api.md#status, or undefined if it is refused. */
function patched(
  model: Model,
  sent: { status?: string; publishedAt?: string | null; scheduledFor?: string | null },
  now: string,
): Model | undefined {
  const to = sent.status ?? model.status
  if (sent.publishedAt && !(['published', 'archived'].includes(to) && sent.publishedAt <= now)) return undefined
  if (sent.publishedAt === null && to === 'published' && model.status === 'published') return undefined
  if (sent.scheduledFor && !(to === 'scheduled' && sent.scheduledFor > now)) return undefined
  if (to === 'scheduled' && (sent.scheduledFor === null || (sent.scheduledFor === undefined && model.status !== 'scheduled')))
    return undefined
  const kept = sent.publishedAt === undefined ? model.publishedAt : sent.publishedAt
  const dates: Record<string, Omit<State, 'status'>> = {
    draft: { publishedAt: null, scheduledFor: null },
    scheduled: { publishedAt: null, scheduledFor: sent.scheduledFor ?? model.scheduledFor },
    published: {
      publishedAt: sent.publishedAt ?? (model.status === 'published' ? model.publishedAt : (model.first ?? now)),
      scheduledFor: null,
    },
    archived: { publishedAt: kept, scheduledFor: null },
  }
  const after = { ...model, status: to, ...(dates[to] as Omit<State, 'status'>) }
  const changed = (['status', 'publishedAt', 'scheduledFor'] as const).some((name) => after[name] !== model[name])
  return { ...after, first: model.first ?? after.publishedAt, version: model.version + (changed ? 1 : 0) }
}

/** The same post once its time has come. */
function settled(model: Model, now: string): Model {
  if (model.trashed || model.status !== 'scheduled' || model.scheduledFor === null || model.scheduledFor > now) return model
  const due = model.scheduledFor
  return { ...model, status: 'published', publishedAt: due, scheduledFor: null, first: model.first ?? due, version: model.version + 1 }
}

function restored(model: Model, now: string): Model {
  if (!model.trashed) return model
  const missed = model.scheduledFor !== null && model.scheduledFor <= now
  const back = missed ? { ...model, status: 'draft', publishedAt: null, scheduledFor: null } : model
  return { ...back, trashed: false, version: model.version + 1 }
}

function expectLawful({ status: is, publishedAt, scheduledFor }: State, now: string): void {
  if (is === 'draft') expect([publishedAt, scheduledFor]).toEqual([null, null])
  if (is === 'scheduled') expect([publishedAt, scheduledFor !== null && scheduledFor > now]).toEqual([null, true])
  if (is === 'published') expect([publishedAt !== null && publishedAt <= now, scheduledFor]).toEqual([true, null])
  if (is === 'archived') expect(scheduledFor).toBeNull()
}

for (const engine of engines) {
  describe(`states of a post on ${engine.name}`, () => {
    it('1,000 random changes never break the rules of statuses, and a model of them predicts every answer', async () => {
      const verso = await startVerso(engine)
      let taken = 0
      const property = fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
        let now = Date.parse('2026-06-01T12:00:00.000Z')
        verso.context.travelTo(at(now, 0))
        const { body: post } = await verso.post('/v1/posts', { title: 'One' })
        let model: Model = { status: 'draft', publishedAt: null, scheduledFor: null, first: null, version: 1, trashed: false }
        for (const each of steps) {
          if (each.kind === 'wait') now += each.minutes * 60_000
          verso.context.travelTo(at(now, 0))
          model = settled(model, at(now, 0))
          const answer = await take(each)
          const expected = next(each)
          expect(answer, JSON.stringify(each)).toEqual(expected)
          if (answer && answer.status !== undefined) expectLawful(answer, at(now, 0))
          taken++
        }

        /** Takes the step in the service; the state afterwards, or undefined where it was refused. */
        async function take(each: Step): Promise<(State & { version: number }) | undefined> {
          const path = `/v1/posts/${post.id}`
          if (each.kind === 'trash') await verso.delete(path)
          const answer =
            each.kind === 'patch'
              ? await verso.patch(path, sentBy(each))
              : each.kind === 'restore'
                ? await verso.post(`${path}/restore`)
                : await verso.get(path)
          if (answer.status >= 400) return undefined
          const { status: is, publishedAt, scheduledFor, version } = answer.body
          return { status: is, publishedAt, scheduledFor, version }
        }

        /** Takes it in the model. */
        function next(each: Step): (State & { version: number }) | undefined {
          if (each.kind === 'trash' && !model.trashed) model = { ...model, trashed: true, version: model.version + 1 }
          if (each.kind === 'restore') model = restored(model, at(now, 0))
          if (model.trashed) return undefined
          const after = each.kind === 'patch' ? patched(model, sentBy(each), at(now, 0)) : model
          if (after === undefined) return undefined
          model = after
          return { status: model.status, publishedAt: model.publishedAt, scheduledFor: model.scheduledFor, version: model.version }
        }

        function sentBy({ kind, ...fields }: Step & { kind: 'patch' }) {
          const dates = Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? at(now, value) : value])
          return Object.fromEntries(dates) as { status?: string; publishedAt?: string | null; scheduledFor?: string | null }
        }
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 17 : 3 })
      if (engine === engines[0]) expect(taken).toBeGreaterThanOrEqual(1_000)
    })
  })
}
