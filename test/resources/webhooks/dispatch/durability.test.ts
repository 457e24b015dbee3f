import { describe, expect, it } from 'vitest'
import { engines, testContext } from '../../../harness/harness.ts'
import { jobOf, startReceiver } from '../receiver.ts'
import { addEndpoint, env, startInstallation, withoutRepeats, write } from '../webhook-installation.ts'
import { startKillable } from './killable-node.ts'

for (const engine of engines) {
  describe(`webhooks that must not be lost on ${engine.name}`, () => {
    it('two dispatchers at once never send the same delivery at the same time', async () => {
      const installation = await startInstallation(engine, testContext())
      const { first, start } = installation
      const receiver = await startReceiver()
      await addEndpoint(installation, receiver.url)
      await write(installation, 200)
      // Connections of one process cannot wait for each other on SQLite, which blocks while it waits.
      const nodes = first.installation.db.engine.skipsLockedRows ? [first, await start(), await start()] : [first]
      await Promise.all([...nodes, ...nodes, ...nodes].map((app) => jobOf({ app }, 'webhooks')))
      for (const app of nodes) await jobOf({ app }, 'webhooks')
      expect(receiver.received).toHaveLength(200)
      expect(withoutRepeats(receiver.received)).toHaveLength(200)
    })

    it('nor do three processes on one database', async () => {
      const context = testContext()
      const installation = await startInstallation(engine, context)
      const receiver = await startReceiver()
      await addEndpoint(installation, receiver.url)
      await write(installation, 300)
      const start = () => startKillable(installation.address, env, context.now())
      const nodes = [await start(), await start(), await start()]
      expect(await Promise.all(nodes.map((node) => node.turn(context.now())))).toEqual([true, true, true])
      expect(receiver.received).toHaveLength(300)
      expect(withoutRepeats(receiver.received)).toHaveLength(300)
    })

    it('what a killed one had begun is sent by another once its lease is over, and its late word counts for nothing', async () => {
      const context = testContext()
      const installation = await startInstallation(engine, context)
      const { first, start } = installation
      const receiver = await startReceiver()
      await addEndpoint(installation, receiver.url)
      await write(installation, 1)
      let answerLate: (status: number) => void = () => undefined
      const late = new Promise<number>((resolve) => {
        answerLate = resolve
      })
      const arrived = new Promise<void>((done) => {
        receiver.answer(() => {
          done()
          return late
        })
      })
      const begun = jobOf({ app: first }, 'webhooks')
      await arrived
      receiver.answer(() => 200)
      const second = await start()
      await jobOf({ app: second }, 'webhooks')
      expect(receiver.received).toHaveLength(1)
      context.travelTo(new Date(context.now().getTime() + 11_000).toISOString())
      await jobOf({ app: second }, 'webhooks')
      const created = receiver.received.filter(({ payload }) => payload.type === 'post.created')
      expect(created).toHaveLength(2)
      answerLate(500)
      await begun
      const rows = await second.installation.db.selectFrom('webhook_deliveries').selectAll().where('type', '=', 'post.created').execute()
      expect(rows.map(({ status, tries, last_status }) => [status, tries, last_status])).toEqual([['delivered', 1, 200]])
    })
  })
}
