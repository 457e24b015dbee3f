import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSecret, type SealedSecret, type SecretPlace, sealingKeys, sealSecret } from '../../../src/resources/webhooks/sealed-secret.ts'
import type { ProjectId } from '../../../src/values/ids.ts'
import { engines, seededRandom, type TestEngine, testSecret } from '../../harness/harness.ts'
import { addressText, verso } from '../../harness/program.ts'
import { hour, startReceiver, startWithWebhooks, verified } from './receiver.ts'

const place: SecretPlace = { projectId: 'prj_a' as ProjectId, webhookId: 'whk_a' }
const [key, other] = ['k'.repeat(32), 'o'.repeat(32)]

describe('a sealed secret', () => {
  const random = seededRandom('sealed')
  const sealed = sealSecret(sealingKeys([key]), place, 'whsec_secret', random)

  it('is opened with the same key, whether it is the first or not', () => {
    expect(sealed).not.toContain('secret')
    expect(openSecret(sealingKeys([key]), place, sealed)).toBe('whsec_secret')
    expect(openSecret(sealingKeys([other, key]), place, sealed)).toBe('whsec_secret')
    expect(sealSecret(sealingKeys([key]), place, 'whsec_secret', random)).not.toBe(sealed)
  })

  it('is not opened with another key, in another row, or once it was changed', () => {
    const keys = sealingKeys([key])
    expect(openSecret(sealingKeys([other]), place, sealed)).toBeUndefined()
    expect(openSecret(keys, { ...place, webhookId: 'whk_b' }, sealed)).toBeUndefined()
    expect(openSecret(keys, { ...place, projectId: 'prj_b' as ProjectId }, sealed)).toBeUndefined()
    for (let i = sealed.lastIndexOf('.') + 1; i < sealed.length; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'Q' : 'A') + sealed.slice(i + 1)
      // The last character may have bits that stand for no byte.
      if (i < sealed.length - 1) expect(openSecret(keys, place, changed as SealedSecret), String(i)).toBeUndefined()
    }
    for (const text of ['', 'v1', 'v1..', `v2${sealed.slice(2)}`, 'whsec_secret', sealed.slice(0, -20)])
      expect(openSecret(keys, place, text as SealedSecret)).toBeUndefined()
  })
})

for (const engine of engines) {
  describe(`secrets of webhooks on ${engine.name}`, () => {
    it('stand sealed in the database, after a rotation too, and sign', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id, secret } = await verso.webhook(receiver.url)
      const { body: rotated } = await verso.post(`/v1/admin/webhooks/${id}/rotate-secret`, {}, verso.admin)
      const [row] = await verso.app.installation.db.selectFrom('webhooks').selectAll().execute()
      for (const stored of [row?.secret, row?.old_secret]) expect(stored).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/)
      expect(JSON.stringify(row)).not.toContain('whsec_')
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      await verso.post('/v1/posts', { title: 'Two' })
      await verso.after(25 * hour)
      const [first, second] = receiver.received
      if (!first || !second) throw new Error('the events did not come')
      for (const each of [secret, rotated.secret]) expect(verified(first, each, new Date('2026-06-01T12:00:00Z'))).toEqual(first.payload)
      expect(verified(second, rotated.secret, verso.context.now())).toEqual(second.payload)
      expect(() => verified(second, secret, verso.context.now())).toThrow()
    })

    it('verso webhook reseal: to another key, and with --renew-lost where the key is lost', async () => {
      const { run, listed } = await commandOn(engine)
      await run(key, 'create', 'https://example.com/hook')
      const sealed = await listed()
      expect(await run(other, 'reseal')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no value opens the secrets of whk_/) })
      expect(await run(other, 'create', 'https://example.com/b')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/another key than the one in VERSO_SECRET/),
      })
      expect(await listed()).toBe(sealed)
      expect(await run(`${other},${key}`, 'reseal')).toMatchObject({ code: 0, stdout: '1 webhook resealed.\n' })
      expect(await run(other, 'create', 'https://example.com/b')).toMatchObject({ code: 0 })
      const lost = await run(key, 'reseal', '--renew-lost', '--json')
      expect(JSON.parse(lost.stdout).renewed).toMatchObject([
        { secret: expect.stringMatching(/^whsec_/) },
        { secret: expect.stringMatching(/^whsec_/) },
      ])
      expect(await run(key, 'reseal')).toMatchObject({ code: 0, stdout: '2 webhooks resealed.\n' })
    })
  })
}

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe('the key beside a SQLite database', () => {
    it('is generated once, for its owner alone, and is asked for where it is missing or another', async () => {
      const { address, run } = await commandOn(engine)
      const path = `${address}.secret`
      expect((await run('', 'create', 'https://example.com/a')).code).toBe(0)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const generated = readFileSync(path, 'utf8')
      expect(generated).toMatch(/^[\w-]{43}\n$/)
      expect((await run('', 'create', 'https://example.com/b')).code).toBe(0)
      expect(readFileSync(path, 'utf8')).toBe(generated)
      const refused = async (said: RegExp) => {
        const { code, stderr } = await run('', 'create', 'https://example.com/c')
        expect([code, stderr.split('\n').length, stderr.includes(generated.trim())]).toEqual([2, 2, false])
        expect(stderr).toMatch(said)
      }
      rmSync(path)
      await refused(/\.secret is missing: .* verso webhook reseal --renew-lost/)
      writeFileSync(path, `${other}\n`)
      await refused(/another key than the one in .*\.secret\./)
      writeFileSync(path, '')
      await refused(/\.secret is empty/)
      writeFileSync(path, 'short')
      await refused(/\.secret must be 32 to 256 visible ASCII characters/)
      writeFileSync(path, `${other}\n${generated}`)
      expect((await run('', 'create', 'https://example.com/c')).code).toBe(0)
    })
  })
}

for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
  it('serve over PostgreSQL: one line and exit code 2 without VERSO_SECRET, or with another one than sealed what is there', async () => {
    const { address, run } = await commandOn(engine)
    const serve = (secret: string) => verso(['serve', '--port', '0', '--database', address], { env: { VERSO_SECRET: secret } })
    expect(await serve('')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: VERSO_SECRET must be set over PostgreSQL, .*\n$/),
    })
    await run(key, 'create', 'https://example.com/hook')
    expect(await serve(other)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* another key than the one in VERSO_SECRET\. .*\n$/),
    })
    expect(await serve('short')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: VERSO_SECRET must be .*\n$/) })
  })
}

/** `verso webhook …` on a database with a project, with a value for VERSO_SECRET. */
async function commandOn(engine: TestEngine) {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const env = { VERSO_DATABASE: addressText(address) }
  await verso(['project', 'create', 'default', '--name', 'Default'], { env: { ...env, ...testSecret } })
  return {
    address: address.kind === 'sqlite' ? address.path : address.url,
    run: (secret: string, ...args: readonly string[]) => verso(['webhook', ...args], { env: { ...env, VERSO_SECRET: secret } }),
    async listed() {
      const { stdout } = await verso(['webhook', 'list', '--json'], { env })
      return stdout
    },
  }
}
