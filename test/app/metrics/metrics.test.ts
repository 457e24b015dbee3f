import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { openMetrics } from '../../../src/app/metrics/metrics.ts'
import { engines, startVerso } from '../../harness/harness.ts'
import { env, samplesOf, token } from '../../harness/metric-samples.ts'
import { sendRaw } from '../../harness/raw-http.ts'

for (const engine of engines) {
  describe(`GET /metrics on ${engine.name}`, () => {
    it('404 as any path that is not there until VERSO_METRICS_TOKEN is set', async () => {
      const verso = await startVerso(engine)
      for (const key of [null, verso.secret, token]) {
        const { status, body } = await verso.get('/metrics', { key })
        expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'There is no such path.'])
      }
    })

    it('401 without the token, and for any other; no API key opens it, and it opens nothing else', async () => {
      const verso = await startVerso(engine, { env })
      const codes = async (key: string | null) => {
        const { status, body } = await verso.get('/metrics', { key })
        return [status, body.code]
      }
      expect(await codes(null)).toEqual([401, 'unauthenticated'])
      for (const key of [verso.secret, await verso.keyWith('admin'), token.slice(1), `${token}x`, token.toUpperCase()])
        expect(await codes(key)).toEqual([401, 'invalid_key'])
      expect((await verso.get('/v1/posts', { key: token })).status).toBe(401)
      expect((await verso.get(`/metrics?token=${token}`, { key: null })).status).toBe(401)
    })

    it('200 in OpenMetrics text, kept by nobody', async () => {
      const verso = await startVerso(engine, { env })
      const { status, headers, text } = await verso.get('/metrics', { key: token })
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'application/openmetrics-text; version=1.0.0; charset=utf-8',
        'no-store',
      ])
      expect(text.endsWith('\n# EOF\n')).toBe(true)
      for (const line of text.trimEnd().split('\n'))
        expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|# EOF|\w+(\{.*\})? (-?[\d.e+-]+|NaN|\+Inf))$/)
    })

    it('counts requests by method, route and class of status, those answered at the door too', async () => {
      const verso = await startVerso(engine, { env })
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      for (let times = 0; times < 5; times++) await verso.get('/v1/posts/one')
      for (const path of ['/v1/posts/none', '/v1/nowhere', '/v1/elsewhere']) await verso.get(path)
      const samples = await samplesOf(verso)
      const requests = (method: string, route: string, status: string) =>
        samples.get(`verso_http_requests_total{method="${method}",route="${route}",status="${status}"}`)
      expect(requests('POST', '/v1/posts', '2xx')).toBe(1)
      expect(requests('GET', '/v1/posts/{idOrSlug}', '2xx')).toBe(5)
      expect(requests('GET', '/v1/posts/{idOrSlug}', '4xx')).toBe(1)
      expect(requests('GET', 'none', '4xx')).toBe(2)
      expect(samples.get('verso_http_request_duration_seconds_count{method="GET",route="/v1/posts/{idOrSlug}"}')).toBe(6)
      expect(samples.get('verso_answer_cache_hits_total')).toBe(4)
      expect(samples.get('verso_answer_cache_misses_total')).toBe(1)
      expect(samples.get('verso_answer_cache_answers')).toBe(1)
      expect(samples.get('verso_answer_cache_bytes')).toBeGreaterThan(1_000)
      expect((await samplesOf(verso)).get('verso_http_requests_total{method="GET",route="/metrics",status="2xx"}')).toBe(1)
    })

    it('counts nothing that the parser refuses, and no part of HTTP that is not implemented; 405 has no route', async () => {
      const verso = await startVerso(engine, { env })
      const rest = 'HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
      const sent = [
        `CONNECT a:1 ${rest}\r\n`,
        `NONSENSE / ${rest}\r\n`,
        `POST /v1/posts ${rest}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      ]
      const statuses: number[] = []
      for (const bytes of sent) statuses.push((await sendRaw(verso.app.url, bytes)).status)
      expect(statuses).toEqual([501, 400, 501])
      await verso.delete('/v1/posts')
      const counted = [...(await samplesOf(verso)).keys()].filter((name) => name.startsWith('verso_http_requests_total'))
      expect(counted).toEqual(['verso_http_requests_total{method="DELETE",route="none",status="4xx"}'])
    })

    it('the time that a long poll waits is in the log, and in no latency', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { env, onLog: (line) => void lines.push(line) })
      const cursor = (await verso.get('/v1/changes')).body.nextCursor
      const sum = async () =>
        (await samplesOf(verso)).get('verso_http_request_duration_seconds_sum{method="GET",route="/v1/changes"}') ?? Number.NaN
      const before = await sum()
      await verso.get(`/v1/changes?since=${cursor}&wait=1`)
      const polled = lines.map((line) => JSON.parse(line)).findLast(({ route }) => route === '/v1/changes')
      expect(polled.waitedMs).toBeGreaterThan(0)
      expect((await sum()) - before).toBeCloseTo((polled.durationMs - polled.waitedMs) / 1_000, 6)
      await verso.get('/v1/changes')
      expect(JSON.parse(lines.at(-1) ?? '')).not.toHaveProperty('waitedMs')
    })

    it('counts statements, and writes by outcome', async () => {
      const verso = await startVerso(engine, { env })
      const before = await samplesOf(verso)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.post('/v1/posts', { title: 'One', slug: 'one' })
      await verso.post('/v1/posts?dry_run=true', { title: 'Two' })
      const after = await samplesOf(verso)
      const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
      expect(more('verso_database_statements_total')).toBeGreaterThan(10)
      expect(more('verso_database_statement_seconds_total')).toBeGreaterThan(0)
      expect(more('verso_write_duration_seconds_count{outcome="committed"}')).toBe(1)
      expect(more('verso_write_duration_seconds_count{outcome="undone"}')).toBe(2)
      expect(more('verso_write_duration_seconds_count{outcome="failed"}')).toBe(0)
    })

    it('tells how long the post has been due that waits for the longest', async () => {
      const verso = await startVerso(engine, { env })
      await verso.post('/v1/posts', { title: 'Soon', status: 'scheduled', scheduledFor: '2026-06-01T13:00:00Z' })
      const lag = async () => (await samplesOf(verso)).get('verso_due_post_lag_seconds')
      expect(await lag()).toBe(0)
      verso.context.travelTo('2026-06-01T13:00:30Z')
      expect(await lag()).toBe(30)
      await verso.get('/v1/posts')
      expect(await lag()).toBe(0)
    })

    it('has every job with no failures before its first run, so that the first failure is an increase', async () => {
      const verso = await startVerso(engine, { env })
      const samples = await samplesOf(verso)
      expect(verso.app.jobs.length).toBeGreaterThan(5)
      for (const { name } of verso.app.jobs) expect([name, samples.get(`verso_job_failures_total{job="${name}"}`)]).toEqual([name, 0])
    })

    it('holds no key, no path and no search text', async () => {
      const verso = await startVerso(engine, { env })
      await verso.post('/v1/posts', { title: 'Confidential' })
      await verso.get('/v1/posts/confidential?x=confidential')
      await verso.get('/v1/posts?search=confidential')
      await verso.get('/confidential')
      const { text } = await verso.get('/metrics', { key: token })
      for (const secret of [/confidential/i, verso.secret, verso.projectId, token]) expect(text).not.toMatch(secret)
    })
  })
}

describe('the metrics', () => {
  it('are told although the database does not say what is due', async () => {
    const responseCache = () => ({ hits: 0, misses: 0, bytes: 0, answers: 0 })
    const away = () => Promise.reject(new Error('away'))
    const metrics = openMetrics({ version: '1.0.0', responseCache, duePostLagMs: away, webhookQueue: away })
    const text = await metrics.text()
    for (const name of ['verso_due_post_lag_seconds', 'verso_webhook_queue_deliveries', 'verso_webhook_queue_oldest_seconds'])
      expect(text).toMatch(new RegExp(`^${name} nan$`, 'im'))
    metrics.close()
  })

  it('count what jobs and settling tell', async () => {
    const webhookQueue = async () => ({ deliveries: 0, oldestMs: 0 })
    const responseCache = () => ({ hits: 0, misses: 0, bytes: 0, answers: 0 })
    const metrics = openMetrics({ version: '1.0.0', responseCache, duePostLagMs: async () => 0, webhookQueue })
    const { observations } = metrics
    for (const ms of [1_500, 500]) observations.jobTook('purge', ms)
    observations.jobFailed('purge', new Error('full'))
    observations.publishDueFailed(new Error('full'))
    const text = await metrics.text()
    for (const line of [
      'verso_job_turns_total{job="purge"} 2',
      'verso_job_seconds_total{job="purge"} 2',
      'verso_job_failures_total{job="purge"} 1',
      'verso_settling_failures_total 1',
    ])
      expect(text.split('\n')).toContain(line)
    metrics.close()
  })
})

describe('VERSO_METRICS_TOKEN', () => {
  it('is 16 visible ASCII characters at least; one that is not stops the start, and is not shown', () => {
    expect(readConfig({}, {}).metricsToken).toBeUndefined()
    expect(readConfig({}, { VERSO_METRICS_TOKEN: token }).metricsToken).toBe(token)
    for (const wrong of ['short', 'with white space in it', 'ümlaut-ümlaut-ümlaut', 'x'.repeat(257)]) {
      expect(() => readConfig({}, { VERSO_METRICS_TOKEN: wrong })).toThrow(/^VERSO_METRICS_TOKEN must be 16/)
      expect(() => readConfig({}, { VERSO_METRICS_TOKEN: wrong })).not.toThrow(wrong)
    }
  })
})
