import { describe, expect, it, onTestFinished } from 'vitest'
import { engines } from '../../harness/harness.ts'
import { addressText, verso } from '../../harness/program.ts'
import { startReceiver, verified } from '../../resources/webhooks/receiver.ts'

for (const engine of engines) {
  describe(`verso webhook on ${engine.name}`, () => {
    it('create, list, test, deliveries, redeliver, replay, rotate-secret, edit, remove', async () => {
      const { address, drop } = await engine.create()
      onTestFinished(drop)
      const env = { VERSO_DATABASE: addressText(address), VERSO_WEBHOOK_ALLOW: '127.0.0.1' }
      const run = (...args: readonly string[]) => verso(args, { env })
      const webhook = (...args: readonly string[]) => run('webhook', ...args)
      const receiver = await startReceiver()
      await run('project', 'create', 'default', '--name', 'Default')
      const created = await webhook('create', receiver.url, '--events', 'post.*, project.changed')
      expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) })
      const [listed] = JSON.parse((await webhook('list', '--json')).stdout)
      expect(listed).toMatchObject({ url: receiver.url, events: ['post.*', 'project.changed'], enabled: true })
      expect(await webhook('test', listed.id)).toMatchObject({ code: 0, stdout: 'Delivered: the receiver answered 200.\n' })
      const [ping] = receiver.received
      if (!ping) throw new Error('no ping came')
      expect(verified(ping, created.stdout.trim(), new Date(ping.payload.timestamp))).toMatchObject({ type: 'webhook.ping' })
      receiver.answer(() => 500)
      expect(await webhook('test', listed.id)).toMatchObject({ code: 1, stdout: expect.stringContaining('answered 500') })
      expect((await webhook('deliveries', listed.id)).stdout).toMatch(/webhook\.ping +failed +1 +The receiver answered 500/)
      expect((await webhook('redeliver', listed.id, ping.id)).stdout).toBe(`The running service sends webhook.ping ${ping.id} again.\n`)
      expect((await webhook('deliveries', listed.id)).stdout).toMatch(new RegExp(`${ping.id} +webhook\\.ping +waiting +0`))
      expect((await webhook('redeliver', listed.id, 'evt_none')).code).toBe(1)
      const replayed = await webhook('replay', listed.id, '--since', '0')
      expect(replayed).toMatchObject({ code: 0, stdout: 'The running service sends the events after revision 0 again.\n' })
      for (const since of ['', '1e2'])
        expect(await webhook('replay', listed.id, '--since', since), since).toMatchObject({ code: 2, stdout: '' })
      expect((await webhook('rotate-secret', listed.id)).stdout).toMatch(/^whsec_/)
      expect((await webhook('edit', listed.id, '--disable')).stdout).toContain('disabled: It was switched off.')
      expect((await webhook('create', 'http://10.0.0.1/')).stderr).toContain('private or reserved network')
      expect((await webhook('create', 'http://example.com/', '--events', 'post.read')).code).toBe(2)
      expect((await webhook('remove', listed.id)).code).toBe(0)
      expect((await webhook('list')).stdout).toContain('No webhooks yet')
    }, 120_000)

    it('test: without the key of the secrets there is no delivery, exit code 2', async () => {
      const { address, drop } = await engine.create()
      onTestFinished(drop)
      const env = { VERSO_DATABASE: addressText(address) }
      const webhook = (...args: readonly string[]) => verso(['webhook', ...args, '--json'], { env })
      await verso(['project', 'create', 'default'], { env })
      const { id } = JSON.parse((await webhook('create', 'https://example.com/hook')).stdout)
      const withAnother = { env: { ...env, VERSO_SECRET: 'x'.repeat(43) } }
      expect(await verso(['webhook', 'test', id], withAnother)).toMatchObject({ code: 2, stderr: expect.stringContaining('another key') })
      expect(JSON.parse((await webhook('deliveries', id)).stdout)).toEqual([])
    })
  })
}
