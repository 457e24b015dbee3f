import { chmodSync, copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestsTo } from '../../harness/harness.ts'
import { serve, temporaryFolder, verso } from '../../harness/program.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('the files of SQLite', () => {
  it('the database, its log and its folder are made for their owner alone; a wider mode is warned of at the start', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const path = join(folder, 'verso.db')
    const first = await serve(`sqlite:${path}`)
    expect([folder, path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(['700', '600', '600', '600'])
    expect(first.stderr()).not.toContain('mode')
    first.signal('SIGTERM')
    expect((await first.ended).code).toBe(0)
    chmodSync(path, 0o644)
    const second = await serve(`sqlite:${path}`)
    expect(second.stderr()).toContain(`${path} has mode 644`)
  })

  it('a folder that cannot be made: one line, exit code 1', async () => {
    const { code, stderr } = await verso(['check', '--database', 'sqlite:/proc/nowhere/verso.db'])
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(stderr).toContain('/proc/nowhere')
  })

  it('verso check says that a copy made with cp lacks its log, and says nothing of a database in order', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'verso.db')
    const service = await serve(`sqlite:${path}`)
    const key = /verso_live_\w+/.exec(service.stdout())?.[0] ?? ''
    expect((await requestsTo(service.url, key).post('/v1/posts', { title: 'One' })).status).toBe(201)
    const copy = join(folder, 'copy.db')
    copyFileSync(path, copy)
    const beside = await verso(['check', '--database', `sqlite:${path}`])
    expect([beside.code, beside.stderr]).toEqual([0, ''])
    expect((await verso(['check', '--database', `sqlite:${copy}`])).stderr).toContain('its log (-wal) is not there')
    service.signal('SIGTERM')
    await service.ended
    expect(existsSync(`${path}-wal`)).toBe(false)
    const stopped = await verso(['check', '--database', `sqlite:${path}`])
    expect([stopped.code, stopped.stderr]).toEqual([0, ''])
  })

  it('?permanent=true leaves no byte of the content in any file once the service has stopped', async () => {
    const path = join(temporaryFolder(), 'verso.db')
    const service = await serve(`sqlite:${path}`)
    const requests = requestsTo(service.url, /verso_live_\w+/.exec(service.stdout())?.[0] ?? '')
    for (let i = 0; i < 20; i++) await requests.post('/v1/posts', { title: `Other ${i}`, content: 'x'.repeat(3_000), tags: ['t'] })
    const canary = 'Kanarienvogel zwitschert'
    const headers = { 'idempotency-key': 'once' }
    const { body } = await requests.post(
      '/v1/posts',
      { title: canary, excerpt: canary, content: `${canary} ${'y'.repeat(9_000)}` },
      { headers },
    )
    await requests.patch(`/v1/posts/${body.id}`, { content: `${canary}, again` })
    expect((await requests.delete(`/v1/posts/${body.id}?permanent=true`)).status).toBe(204)
    service.signal('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(existsSync(`${path}-wal`)).toBe(false)
    const bytes = readFileSync(path, 'latin1').toLowerCase()
    expect(['kanarienvogel', 'zwitschert'].filter((word) => bytes.includes(word))).toEqual([])
  })
})
