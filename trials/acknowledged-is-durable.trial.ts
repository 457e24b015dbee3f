import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../src/app/config.ts'
import { openEngine } from '../src/app/installation.ts'
import { realContext } from '../src/context.ts'
import type { Tx } from '../src/database/engine.ts'
import type { PostId } from '../src/values/ids.ts'
import { unobserved } from '../src/values/observations.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { type PostgresServer, startPostgres } from '../test/harness/postgres-server.ts'
import { addressText } from '../test/harness/program.ts'
import { compare, type Ledger, openLedger, writeUntilCut } from './disk/acknowledged-writes.ts'
import { findingsOf, makeInstallation } from './disk/installation.ts'
import { clientOf, launch, type Service, scratchFolder } from './disk/service.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

const writers = 8

interface Stored {
  readonly database: DatabaseAddress
  readonly server: PostgresServer | undefined
}

/** A database that survives crashes: the PostgreSQL of the tests does not flush, so this one is another. */
async function storeFor(engine: string): Promise<Stored> {
  if (engine === 'SQLite') return { database: { kind: 'sqlite', path: `${scratchFolder()}/verso.db` }, server: undefined }
  const server = await startPostgres(['max_connections=100'])
  onTestFinished(() => server.stop())
  const limits = { poolSize: 10, statementTimeoutMs: 60_000, lockTimeoutMs: 10_000 }
  return { database: { kind: 'postgres', url: server.url, ...limits, prepare: true, clock: 'database' }, server }
}

async function killed(service: Service, key: string, ledger: Ledger, random: SeededRandom, server?: PostgresServer): Promise<void> {
  const send = clientOf(service.url, key)
  const writing = Array.from({ length: writers }, (_, writer) => writeUntilCut(send, ledger, random.fork(`writer ${writer}`), writer))
  const enough = ledger.acknowledged + 1 + random.int(12)
  while (ledger.acknowledged < enough) await new Promise((resolve) => setTimeout(resolve, 1))
  await server?.crash()
  await service.kill('SIGKILL')
  await Promise.all(writing)
}

trial({
  name: 'acknowledged-is-durable',
  promise: 'A write that was acknowledged survives whatever ends the process, and one that was not is there whole or not at all.',
  over: 'engines',
  // PostgreSQL itself is crashed once in so many kills.
  sizes: {
    test: { kills: 2, posts: 20, crashEvery: 25 },
    short: { kills: 3, posts: 500, crashEvery: 2 },
    full: { kills: 500, posts: 100_000, crashEvery: 25 },
  },
  minutes: { short: 4, full: 90 },
  async run({ size, engine, random, figure }) {
    const { database, server } = await storeFor(engine.name)
    const key = await makeInstallation(database, size.posts)
    const ledger = openLedger()
    const sum = { lost: 0, halves: 0, crashes: 0, slowest: 0 }
    let service = await launch(addressText(database))
    for (let kill = 1; kill <= size.kills; kill++) {
      const isCrash = server !== undefined && kill % size.crashEvery === 0
      await killed(service, key, ledger, random.fork(`kill ${kill}`), isCrash ? server : undefined)
      if (isCrash) await server.restart()
      sum.crashes += isCrash ? 1 : 0
      service = await launch(addressText(database))
      sum.slowest = Math.max(sum.slowest, service.startedInMs)
      const { lost, halves } = await compare(clientOf(service.url, key), ledger)
      sum.lost += lost
      sum.halves += halves
    }
    for (const id of ledger.posts.keys()) ledger.touched.add(id)
    const last = await compare(clientOf(service.url, key), ledger)
    await service.kill('SIGTERM')
    const findings = await findingsOf(database)
    figure('acknowledged writes lost', sum.lost + last.lost, { exactly: 0 })
    figure('partially written posts', sum.halves + last.halves, { exactly: 0 })
    figure('findings of verso check at the end', findings.length, { exactly: 0 })
    figure('ready again, slowest', sum.slowest, { atMost: 1_000, unit: 'ms' })
    figure('acknowledged writes', ledger.acknowledged)
    figure('kills', size.kills)
    if (server) figure('crashes of the database server among them', sum.crashes)
    figure('posts', size.posts + ledger.posts.size)
  },
  controls: {
    async 'a post that is removed behind the service is seen as lost'({ engine, random }) {
      const { lost } = await tamperedWith(engine, random, async (tx, id) => {
        for (const table of ['contents', 'post_tags', 'post_revisions'] as const)
          await tx.deleteFrom(table).where('post_id', '=', id).execute()
        await tx.deleteFrom('posts').where('id', '=', id).execute()
      })
      return lost
    },
    async 'a post whose revision is removed behind the service is seen as partly written'({ engine, random }) {
      return (await tamperedWith(engine, random, (tx, id) => tx.deleteFrom('post_revisions').where('post_id', '=', id).execute())).halves
    },
  },
})

/** Compares after one of five acknowledged posts was changed in the database while no service ran. */
async function tamperedWith(engine: TestEngine, random: SeededRandom, tamper: (tx: Tx, id: PostId) => Promise<unknown>) {
  const { database } = await storeFor(engine.name)
  const key = await makeInstallation(database, 5)
  const ledger = openLedger()
  const first = await launch(addressText(database))
  let writes = 0
  await writeUntilCut(clientOf(first.url, key), ledger, random, 0, () => writes++ < 5)
  await first.kill('SIGTERM')
  const [id] = ledger.touched
  const opened = await openEngine(database, realContext, unobserved)
  await opened.write((tx) => tamper(tx, id as PostId))
  await opened.close()
  const second = await launch(addressText(database))
  const compared = await compare(clientOf(second.url, key), ledger)
  await second.kill('SIGTERM')
  return compared
}
