import { expect, it } from 'vitest'
import type { Delivery, Outcome } from '../../../../src/resources/webhooks/delivery.ts'
import { guardAddresses } from '../../../../src/resources/webhooks/dispatch/address-guard.ts'
import { openOutbound } from '../../../../src/resources/webhooks/dispatch/http-client.ts'
import { newSecret } from '../../../../src/resources/webhooks/dispatch/signature.ts'
import { runTurn, type TurnSteps } from '../../../../src/resources/webhooks/dispatch/turn.ts'
import { newId, type ProjectId } from '../../../../src/values/ids.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { seededRandom, testContext } from '../../../harness/harness.ts'
import { type Receiver, second, startReceiver } from '../receiver.ts'

const random = seededRandom('turn')

it('a service that stood still between claim and sending sends nothing once its claim may be over', async () => {
  const receiver = await startReceiver({}, { isMadeUp: true })
  const turn = turnTo(receiver, { paused: 9 * second })
  expect(await turn.run()).toBe(false)
  expect(turn.outcomes()).toEqual(['interrupted'])
  expect(receiver.received).toEqual([])
})

it('a claim that was renewed is sent, and one that another has taken over is not', async () => {
  const receiver = await startReceiver({}, { isMadeUp: true })
  const renewed = turnTo(receiver, { paused: 9 * second, renew: (ids) => ids })
  expect(await renewed.run()).toBe(true)
  expect(renewed.outcomes()).toEqual(['answered'])
  const taken = turnTo(receiver, { paused: 0, renew: () => [] })
  expect(await taken.run()).toBe(false)
  expect(taken.outcomes()).toEqual(['interrupted'])
  expect(receiver.received).toHaveLength(1)
})

it('an endpoint that is disabled gets nothing more of what was claimed', async () => {
  const receiver = await startReceiver({}, { isMadeUp: true })
  receiver.answer(() => 410)
  const turn = turnTo(receiver, { paused: 0, deliveries: 32 })
  await turn.run()
  expect(receiver.received).toHaveLength(8)
  expect(turn.released()).toBe(24)
})

it('a failure to record one outcome ends the turn, and what was not tried is released', async () => {
  const receiver = await startReceiver({}, { isMadeUp: true })
  const turn = turnTo(receiver, { paused: 0, deliveries: 12, record: () => Promise.reject(new Error('the database is away')) })
  await expect(turn.run()).rejects.toThrow('the database is away')
  expect(receiver.received).toHaveLength(8)
  expect(turn.released()).toBe(4)
})

interface Course {
  /** How long the service stands still before the request. */
  readonly paused: number
  readonly deliveries?: number
  /** Renews after the pause; by default nothing is renewed. */
  readonly renew?: (ids: readonly Delivery['id'][]) => readonly Delivery['id'][]
  readonly record?: () => Promise<void>
}

function turnTo(receiver: Receiver, { paused, deliveries = 1, renew, record }: Course) {
  const context = testContext()
  const clock = () => context.now().getTime()
  const outcomes: Outcome[] = []
  const contact = { url: receiver.url, secrets: [newSecret(random)] }
  let released = 0
  let renewNow: () => Promise<void> = async () => undefined
  const claimable = Array.from({ length: deliveries }, () => deliveryAt(context.now()))
  const steps: TurnSteps = {
    claim: async () => {
      const taken = claimable.splice(0)
      return taken.length === 0 ? undefined : { contact, deliveries: taken, now: toInstant(context.now()) }
    },
    renew: async (_, ids) => renew?.(ids) ?? ids,
    record: async (_, __, outcome) => {
      outcomes.push(outcome)
      await record?.()
      return outcome.kind === 'answered' && outcome.status === 410 ? undefined : contact
    },
    end: async (_, untried) => {
      released = untried.length
    },
  }
  const findResource = async () => {
    context.travelTo(new Date(clock() + paused).toISOString())
    if (renew) await renewNow()
    return {}
  }
  const repeat = (_: number, work: () => Promise<void>) => {
    renewNow = work
    return { stop: async () => undefined }
  }
  const outbound = openOutbound({ guard: guardAddresses(['127.0.0.1']), clock })
  const signal = new AbortController().signal
  return {
    run: () =>
      runTurn({ outbound, clock, random, repeat, findResource }, { projectId: 'prj_a' as ProjectId, project: 'default' }, steps, {
        stopping: signal,
        breakingOff: signal,
      }),
    outcomes: () => outcomes.map(({ kind }) => kind),
    released: () => released,
  }
}

function deliveryAt(now: Date): Delivery {
  const at = toInstant(now)
  const untried = { tries: 0, firstTriedAt: null, lastTriedAt: null, lastStatus: null, lastDurationMs: null, lastError: null }
  const id = newId('evt', at, random)
  const resourceId = newId('post', at, random)
  return {
    id,
    type: 'post.created',
    revision: 1,
    part: 0,
    resourceId,
    happenedAt: at,
    status: 'sending',
    nextTryAt: at,
    createdAt: at,
    ...untried,
  }
}
