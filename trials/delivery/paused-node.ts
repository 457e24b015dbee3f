import { onTestFinished } from 'vitest'
import { atOnce } from '../../test/harness/cluster.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import { asServed, pause, startKeptAlive, withInstallation } from './kept-alive.ts'
import { disorderIn, readLog } from './log.ts'
import { startTrialReceiver } from './receivers.ts'

/** More than one claim of deliveries. */
const posts = 40
/** How long the receiver takes while the first node sends: longer than all writes, so that all of a claim waits at once. */
const lateMs = 2_000
/** Longer than the claims of the paused node. */
const takeOverMs = 30_000

/** Deliveries that the node is to have claimed when it is paused: fewer say too little. */
export const enoughClaimed = 20

interface PausedNode {
  /** Deliveries that it had claimed when it was paused. */
  readonly claimed: number
  /** Events that came after a later one of the same post. */
  readonly disordered: number
}

/** Pauses a node while it sends, lets another node take over and send everything, and then lets the first one go on. */
export async function pauseNode(engine: TestEngine): Promise<PausedNode> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const first = await startKeptAlive(asServed(address))
  let isLate = true
  const receiver = await startTrialReceiver(lateMs, () => (isLate ? 'late' : 'accept'))
  await first.ask('POST', '/v1/admin/webhooks', { body: { url: receiver.url, events: ['post.*'] } })
  const ids: string[] = []
  await atOnce(8, Array.from({ length: posts }), async (_, n) => {
    ids.push((await first.ask('POST', '/v1/posts', { body: { title: `Post ${n}` } })).body.id)
  })
  await atOnce(8, ids, async (id) => void (await first.ask('PATCH', `/v1/posts/${id}`, { body: { excerpt: 'b' } })))
  const claimed = await withInstallation(first.address, async ({ db }) => {
    const sending = async () => (await db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'sending').execute()).length
    const before = receiver.arrivals.length
    await until(async () => receiver.arrivals.length >= before + 4 && (await sending()) >= enoughClaimed, 3 * lateMs)
    // The requests of this burst are all on their way then, and the database waits for nothing of the node.
    await pause(lateMs / 4)
    await first.signal('SIGSTOP')
    isLate = false
    return sending()
  })
  await first.startBeside()
  await until(async () => receiver.accepted.size >= 2 * posts, takeOverMs)
  await first.signal('SIGCONT')
  await pause(lateMs)
  const { resources } = await readLog(first)
  return { claimed, disordered: disorderIn(receiver, resources) }
}

async function until(isTrue: () => Promise<boolean>, atMostMs: number): Promise<void> {
  for (const began = Date.now(); !(await isTrue()) && Date.now() - began < atMostMs; ) await pause(5)
}
