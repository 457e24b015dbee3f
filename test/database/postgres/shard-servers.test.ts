import { describe, expect, it } from 'vitest'
import { toPostgresProblem, unavailable } from '../../../src/database/postgres/postgres-errors.ts'
import { openShardServers } from '../../../src/database/postgres/shard-servers.ts'
import type { Asker } from '../../../src/database/queues/long-reads.ts'
import type { ProjectId } from '../../../src/values/ids.ts'
import { Problem } from '../../../src/values/problems.ts'

const [hung, hungToo, well]: readonly ProjectId[] = ['prj_hung', 'prj_hung_too', 'prj_well']
const fine = async () => 'answered'

/** Servers of which one alone has two places, a project on each, and a clock that stands still until it is moved. */
function start(places = { all: 4, write: 2, longRead: 2 }) {
  const clock = { ms: 0 }
  const stopwatch = () => {
    const started = clock.ms
    return () => clock.ms - started
  }
  const servers = openShardServers({ places, stopwatch, find: async (id) => id })
  const begun: { readonly answer: () => void; readonly fail: (error: unknown) => void }[] = []
  /** A statement that the server does not answer until the test does. */
  const open = (project = hung, kind: 'read' | 'write' | Asker = 'read') =>
    servers.within(
      project as ProjectId,
      kind,
      () => new Promise<string>((resolve, fail) => begun.push({ answer: () => resolve('late'), fail })),
    )
  return { servers, clock, begun, open, ask: (project = hung) => outcome(servers.within(project as ProjectId, 'read', fine)) }
}

const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => (error instanceof Problem ? error.code : error))
const turns = async () => void (await new Promise((resolve) => setImmediate(resolve)))

describe('the servers of a sharded database', () => {
  it('one that hangs takes its own places and no more; the projects of others go on', async () => {
    const { ask, open, begun } = start()
    const waiting = Array.from({ length: 10 }, () => outcome(open()))
    await turns()
    expect(begun).toHaveLength(2)
    for (let n = 0; n < 5; n++) expect(await ask(well)).toBe('answered')
    for (let n = 0; n < 10; n++) {
      begun[n]?.answer()
      await turns()
    }
    expect(await Promise.all(waiting)).toEqual(Array(10).fill('late'))
  })

  it.each([
    ['reads', 18, () => 'read'],
    ['writes', 13, () => 'write'],
    ['long reads', 4, (name) => ({ name, projectId: hung as ProjectId })],
  ] as const satisfies readonly (readonly [string, number, (name: string) => 'read' | 'write' | Asker])[])(
    'two that hang with many %s leave the others a quarter of the places for those, and more of all',
    async (_, places, kind) => {
      const { ask, open, begun } = start({ all: 18, write: 13, longRead: 4 })
      const stuck = Array.from({ length: 20 }, (_, n) => [open(hung, kind(`h${n}`)), open(hungToo, kind(`t${n}`))]).flat()
      await turns()
      expect(begun.length).toBeLessThanOrEqual(places * 0.75)
      const taken = begun.length
      const more = [open(well, kind('w')), ...Array.from({ length: 20 }, (_, n) => open(hung, kind(`m${n}`)))]
      await turns()
      expect(begun).toHaveLength(taken + 1)
      for (let n = 0; n < 3; n++) expect(await ask(well)).toBe('answered')
      for (let n = 0; n < stuck.length + more.length; n++) {
        begun[n]?.answer()
        await turns()
      }
      expect(await Promise.all([...stuck, ...more])).toEqual(Array(61).fill('late'))
    },
  )

  it('writes that wait leave a place to reads', async () => {
    const { ask, open, begun } = start()
    const writes = [open(hung, 'write'), open(hung, 'write')]
    await turns()
    expect(begun).toHaveLength(1)
    expect(await ask()).toBe('answered')
    begun[0]?.answer()
    await turns()
    begun[1]?.answer()
    expect(await Promise.all(writes)).toEqual(['late', 'late'])
  })

  it('silent for three seconds with all its places taken: 503 database_unavailable at once, for those who wait as well', async () => {
    const { ask, open, begun, clock } = start()
    const stuck = [open(), open()]
    const waiting = outcome(open())
    await turns()
    clock.ms = 3_001
    expect(await ask()).toBe('database_unavailable')
    expect(await waiting).toBe('database_unavailable')
    begun[0]?.answer()
    await stuck[0]
    expect(await ask()).toBe('answered')
    begun[1]?.answer()
    await stuck[1]
  })

  it('a slow statement alone refuses nobody: the next one tries the server, and others wait for its answer', async () => {
    const { ask, open, begun, clock } = start()
    const slow = open()
    await turns()
    clock.ms = 10_000
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answered', 'answered', 'answered'])
    begun[0]?.answer()
    expect(await slow).toBe('late')
  })

  it('a write that is ended after a second, by the limit that it shares with others, puts its server in no doubt', async () => {
    const { ask, open, begun, clock } = start()
    const late = (ms: number) => {
      clock.ms += ms
      begun.at(-1)?.fail(toPostgresProblem({ code: '57014', severity: 'ERROR' }))
    }
    const short = outcome(open(hung, 'write'))
    await turns()
    late(1_000)
    expect(await short).toBe('overloaded')
    const again = open(hung, 'write')
    await turns()
    expect(await Promise.all([ask(), ask()])).toEqual(['answered', 'answered'])
    begun[1]?.answer()
    expect(await again).toBe('late')
    const long = outcome(open())
    await turns()
    late(20_000)
    expect(await long).toBe('overloaded')
    const trial = open()
    const other = outcome(open())
    await turns()
    expect(begun).toHaveLength(4)
    begun[3]?.answer()
    await turns()
    begun[4]?.answer()
    expect(await Promise.all([trial, other])).toEqual(['late', 'late'])
  })

  it('a statement that tries the server and waits for a lock is followed by another one after a second', async () => {
    const { ask, open, begun, clock } = start({ all: 8, write: 4, longRead: 4 })
    const locked = open(hung, 'write')
    await turns()
    clock.ms = 3_001
    const trial = open(hung, 'write')
    await turns()
    clock.ms += 1_000
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answered', 'answered', 'answered'])
    for (const { answer } of begun) answer()
    expect(await Promise.all([locked, trial])).toEqual(['late', 'late'])
  })

  it('away: one at a time tries it, the others are refused with its failure, and its first answer lets all in', async () => {
    const { ask, open, begun, servers } = start()
    const first = outcome(open())
    await turns()
    begun[0]?.fail(unavailable())
    expect(await first).toBe('database_unavailable')
    const trial = outcome(open())
    const others = [ask(), ask()]
    await turns()
    expect(begun).toHaveLength(2)
    expect(await outcome(servers.ask(undefined, fine))).toBe('database_unavailable')
    begun[1]?.fail(unavailable())
    expect(await Promise.all([trial, ...others])).toEqual(Array(3).fill('database_unavailable'))
    expect([await ask(), await ask(), await outcome(servers.ask(undefined, fine))]).toEqual(Array(3).fill('answered'))
  })

  it('no place among the connections of this node, and what the server refuses, put it in no doubt', async () => {
    const { ask, open, begun } = start()
    for (const error of [new Problem('overloaded', 'Too many wait.'), new Problem('not_found', 'None.'), new Error('a fault')]) {
      const failed = outcome(open())
      await turns()
      begun.at(-1)?.fail(error)
      await failed
      expect(await Promise.all([ask(), ask()])).toEqual(['answered', 'answered'])
    }
  })
})
