import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { addFailures, deleteEndedFailures } from '../../../src/http/limits/failed-authentication-store.ts'
import { maxFailures, toldAtOnce } from '../../../src/http/limits/failed-authentications.ts'
import type { Instant } from '../../../src/values/instant.ts'
import { range, sharedDatabase, sharedEngines, startNode } from '../../harness/cluster.ts'
import { type Answer, makeProject, type Requests, requestsTo, testContext } from '../../harness/harness.ts'

async function startNodes(on: string, count: number) {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const database = await sharedDatabase({ on })
  const nodes = await Promise.all(range(count).map(() => startNode(database, {}, log)))
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const { secret } = await makeProject(first, testContext(new Date().toISOString()), 'default')
  return { first, requests: nodes.map(({ url }) => requestsTo(url, secret)), lines }
}

const fail = (node: Requests | undefined) => node?.get('/v1/posts', { key: 'mistyped' })
const with401 = (answers: readonly (Answer | undefined)[]) => answers.filter((answer) => answer?.status === 401).length
const aboutCounting = (lines: readonly string[]) => lines.filter((line) => line.includes('limits could not be counted')).length

describe.each(sharedEngines)('failed authentications over nodes of one %s', (on) => {
  it('all nodes together answer 60 of an address 401, and at most ten more of each node; valid keys go on', async () => {
    const { requests } = await startNodes(on, 3)
    const answers = await Promise.all(requests.flatMap((node) => range(2 * maxFailures).map(() => fail(node))))
    expect(with401(answers)).toBeGreaterThanOrEqual(maxFailures)
    expect(with401(answers)).toBeLessThanOrEqual(maxFailures + toldAtOnce * requests.length)
    for (const node of requests) {
      expect(await fail(node)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(await node.get('/v1/posts')).toMatchObject({ status: 200 })
    }
  })

  it('one after the other: a node knows what another has counted', async () => {
    const { requests, lines } = await startNodes(on, 2)
    const [one, other] = requests
    for (const _ of range(maxFailures)) expect(await fail(one)).toMatchObject({ status: 401 })
    const answers: (Answer | undefined)[] = []
    for (const _ of range(2 * toldAtOnce)) answers.push(await fail(other))
    expect(with401(answers)).toBe(toldAtOnce)
    const refused = answers.at(-1)
    expect(refused?.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect(lines.filter((line) => line.includes('too many failed authentications'))).toHaveLength(1)
  })

  it('where the count cannot be shared, a node counts alone and says so once', async () => {
    const { first, requests, lines } = await startNodes(on, 1)
    await first.installation.engine.alone(async (tx) => {
      await tx.updateTable('installation').set({ state: 'moving', moved_to: 'elsewhere' }).execute()
    })
    const answers = await Promise.all(range(2 * maxFailures).map(() => fail(requests[0])))
    expect(with401(answers)).toBe(maxFailures)
    expect(aboutCounting(lines)).toBe(1)
  })

  it('a node that asked for the time before another, and counts after it, adds to the same minute', async () => {
    const { first } = await startNodes(on, 1)
    const count = (now: string, failures: number) =>
      first.installation.engine.write((tx) => addFailures(tx, { address: '192.0.2.1', failures, now: now as Instant }))
    expect(await count('2026-01-01T00:00:00.005Z', 10)).toEqual({ failures: 10, endsInMs: 60_000 })
    expect(await count('2026-01-01T00:00:00.000Z', 10)).toEqual({ failures: 20, endsInMs: 60_005 })
    expect(await count('2026-01-01T00:01:00.005Z', 10)).toEqual({ failures: 10, endsInMs: 60_000 })
  })

  it('minutes that are over are deleted by their job', async () => {
    const { first, requests } = await startNodes(on, 1)
    for (const _ of range(toldAtOnce)) await fail(requests[0])
    // A failure waits for what is being told.
    await fail(requests[0])
    const { db, engine } = first.installation
    const [row] = await db.selectFrom('failed_authentications').selectAll().execute()
    expect(row).toMatchObject({ address: '127.0.0.1', failures: expect.anything() })
    await first.jobs.find(({ name }) => name === 'prune-failures')?.runOnce()
    expect(await db.selectFrom('failed_authentications').selectAll().execute()).toHaveLength(1)
    const end = row?.ends_at
    if (end) await engine.write((tx) => deleteEndedFailures(tx, end))
    expect(await db.selectFrom('failed_authentications').selectAll().execute()).toEqual([])
  })
})
