import type { Context } from '../../../context.ts'
import type { Random } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { startStopwatch } from '../../../values/stopwatch.ts'
import { type Delivery, type DeliveryId, type Outcome, succeeded } from '../delivery.ts'
import { type Claimed, leaseMs } from './dispatch-actions.ts'
import { type Contact, type Destination, type SendingParts, sendDelivery } from './send-delivery.ts'

/** How many requests one process sends to one endpoint at once. After as many failures in a row the turn ends. */
const mostAtOnce = 8
/** How often the claims of a turn that lasts are renewed. */
const renewEveryMs = 3_000
/** No request begins within this time before its claim ends, since what is sent takes a moment to arrive. */
const marginMs = 2_000

/** What a turn does in the database, each in a transaction of its own. */
export interface TurnSteps {
  claim(lease: string): Promise<Claimed | undefined>
  renew(lease: string, ids: readonly DeliveryId[]): Promise<readonly DeliveryId[]>
  /** Returns where the next try goes. None if the endpoint takes nothing more. */
  record(lease: string, delivery: Delivery, outcome: Outcome): Promise<Contact | undefined>
  end(lease: string, untried: readonly DeliveryId[], failed: readonly Outcome[]): Promise<void>
}

export interface TurnParts extends SendingParts, Pick<Context, 'repeat'> {
  /** Milliseconds, as the clock on the wall tells. */
  readonly clock: () => number
  readonly random: Random
}

interface TurnSignals {
  /** Aborted: no new request begins. */
  readonly stopping: AbortSignal
  /** Aborted: running requests are aborted. */
  readonly breakingOff: AbortSignal
}

/**
 * Sends what is due to one endpoint, several at once, and records each outcome when it is known. Claims more as long as something succeeds.
 * Ends when nothing is due, the receiver only fails, or the service stops. False if nothing was tried.
 */
export async function runTurn(
  parts: TurnParts,
  { projectId, project }: Pick<Destination, 'projectId' | 'project'>,
  steps: TurnSteps,
  { stopping, breakingOff }: TurnSignals,
): Promise<boolean> {
  const lease = Buffer.from(parts.random(9)).toString('base64url')
  const held = holdClaims(parts.clock)
  const waiting: Sendable[] = []
  const running = new Set<Promise<void>>()
  const tried: Outcome[] = []
  const errors: unknown[] = []
  // Each outcome brings it anew, and nothing begins but after a claim or an outcome: an edit reaches what was claimed before it.
  let contact: Contact | undefined
  let failuresInRow = 0
  let isOver = false
  let mayClaim = true

  const send = async ({ delivery, claimedAt, elapsed }: Sendable, to: Contact) => {
    const now = later(claimedAt, Math.round(elapsed()))
    const mayBegin = () => held.has(delivery.id)
    const outcome = await sendDelivery(parts, { projectId, project, ...to }, { delivery, now }, { mayBegin, signal: breakingOff })
    contact = await steps.record(lease, delivery, outcome)
    isOver ||= contact === undefined
    held.drop(delivery.id)
    if (outcome.kind === 'interrupted') return
    tried.push(outcome)
    failuresInRow = succeeded(outcome) ? 0 : failuresInRow + 1
    // Each success admits more: the next event of its resource may have waited for it.
    mayClaim ||= succeeded(outcome)
  }
  const claimMore = async () => {
    const elapsed = startStopwatch()
    mayClaim = false
    const claimed = await held.claim(() => steps.claim(lease))
    if (!claimed) return
    contact = claimed.contact
    waiting.push(...claimed.deliveries.map((delivery) => ({ delivery, claimedAt: claimed.now, elapsed })))
  }
  const mayStart = () => !stopping.aborted && !isOver && errors.length === 0 && running.size + failuresInRow < mostAtOnce
  const start = (next: Sendable, to: Contact) => {
    const sending = send(next, to)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(sending))
    running.add(sending)
  }

  // A renewal that fails is repeated; meanwhile the claims end, and nothing more is sent.
  const renewing = parts.repeat(renewEveryMs, () => held.renew((ids) => steps.renew(lease, ids)).catch(() => undefined))
  try {
    for (;;) {
      if (waiting.length === 0 && mayClaim && mayStart()) await claimMore()
      while (mayStart()) {
        const next = contact && waiting.shift()
        if (!contact || !next) break
        start(next, contact)
      }
      if (running.size === 0) break
      await Promise.race(running)
    }
  } finally {
    await renewing.stop()
    await Promise.allSettled(running)
    const failed = tried.some(succeeded) ? [] : tried
    const untried = waiting.map(({ delivery }) => delivery.id)
    if (untried.length > 0 || failed.length > 0) await steps.end(lease, untried, failed)
  }
  if (errors.length > 0) throw errors[0]
  return tried.length > 0
}

/** A claimed delivery, and the time since its claim. */
interface Sendable {
  readonly delivery: Delivery
  readonly claimedAt: Instant
  readonly elapsed: () => number
}

/**
 * The deliveries that this process has claimed, as far as it can know. Time counts from before the claim or its renewal, by two clocks: the
 * one on the wall may be set back, and the other may stand still while the machine sleeps.
 */
function holdClaims(clock: () => number) {
  const steady = startStopwatch()
  const until = new Map<DeliveryId, { readonly wall: number; readonly steady: number }>()
  const usableMs = leaseMs - marginMs
  const endFromNow = () => ({ wall: clock() + usableMs, steady: steady() + usableMs })
  return {
    has(id: DeliveryId): boolean {
      const end = until.get(id)
      return end !== undefined && clock() < end.wall && steady() < end.steady
    },
    drop: (id: DeliveryId) => until.delete(id),
    async claim(work: () => Promise<Claimed | undefined>): Promise<Claimed | undefined> {
      const end = endFromNow()
      const claimed = await work()
      for (const { id } of claimed?.deliveries ?? []) until.set(id, end)
      return claimed
    },
    /** `work` renews claims and returns those that others have not taken over. */
    async renew(work: (ids: readonly DeliveryId[]) => Promise<readonly DeliveryId[]>): Promise<void> {
      const ids = [...until.keys()]
      if (ids.length === 0) return
      const end = endFromNow()
      const renewed = new Set(await work(ids))
      for (const id of ids) {
        if (!renewed.has(id)) until.delete(id)
        else if (until.has(id)) until.set(id, end)
      }
    },
  }
}
