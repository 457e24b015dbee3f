import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Memory, startForRequests, visible } from '../harness/compared-engines.ts'
import { type Planned, requests } from '../harness/generated-requests.ts'
import { type Answer, engines } from '../harness/harness.ts'

/** So many times a new installation is asked so many resources. Each run of the tests has another seed. */
const runs = 1
const requestsPerRun = 900
const seed = Number(process.env.VERSO_TEST_SEED) || Date.now() % 1_000_000_000

describe('SQLite and PostgreSQL', { timeout: 300_000 }, () => {
  it.each(Array.from({ length: runs }, (_, run) => seed + run))(
    'answer generated requests alike, byte for byte (VERSO_TEST_SEED=%i)',
    async (seed) => {
      const both = await Promise.all(engines.map((engine) => startForRequests(engine, seed)))
      const memory = new Memory()
      const statuses = new Set<number>()
      const compare = async (request: Planned): Promise<Answer> => {
        const [one, other] = await Promise.all(both.map(({ ask }) => ask(request)))
        if (!one || !other) throw new Error('there are two engines')
        expect(visible(other), JSON.stringify(request)).toEqual(visible(one))
        expect(one.status, JSON.stringify(request)).toBeLessThan(500)
        statuses.add(one.status)
        memory.learn(one)
        return one
      }
      for (const planned of fc.sample(requests, { seed, numRuns: requestsPerRun })) {
        for (const { context } of both) context.travelTo(new Date(context.now().getTime() + planned.afterMs).toISOString())
        const request = memory.fill(planned)
        const etag = (await compare(request)).headers.get('etag')
        if (etag && request.again) await compare({ ...request, headers: { 'if-none-match': etag } })
      }
      expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 422]))
    },
  )
})
