import { describe, expect, it } from 'vitest'
import { describeApi } from '../../src/app/routes.ts'
import { engines, startVerso } from '../harness/harness.ts'

const asking = { prefer: 'server-timing' }
const stages = (header: string | null) => header?.split(', ').map((metric) => metric.split(';')[0])

const { paths } = describeApi()
const refsTo = (refs: readonly object[]) => refs.flatMap((each) => ('$ref' in each ? [String(each.$ref).split('/').at(-1)] : []))

describe('Prefer: server-timing in the OpenAPI document', () => {
  it('is a parameter of every operation that takes a key, and its answers may have the header; of no other', () => {
    const operations = Object.values(paths).flatMap((item) => Object.values(item))
    expect(operations.length).toBeGreaterThan(50)
    for (const { operationId, security, parameters, responses } of operations) {
      const takesKey = security.some((protection) => 'apiKey' in protection)
      expect(refsTo(parameters).includes('Prefer'), operationId).toBe(takesKey)
      for (const response of Object.values(responses)) {
        if ('$ref' in response) continue
        const { headers = {} } = response
        expect('Server-Timing' in headers && 'Preference-Applied' in headers, operationId).toBe(takesKey)
      }
    }
  })
})

for (const engine of engines) {
  describe(`Server-Timing on ${engine.name}`, () => {
    it('with Prefer: server-timing, a secret key is told of every stage; nobody is told unasked', async () => {
      const verso = await startVerso(engine)
      const created = await verso.post('/v1/posts', { title: 'One', status: 'published' }, { headers: asking })
      expect(stages(created.headers.get('server-timing'))).toEqual(['authenticate', 'validate', 'action', 'respond', 'total'])
      const list = await verso.get('/v1/posts', { headers: asking })
      expect(stages(list.headers.get('server-timing'))).toEqual(['authenticate', 'plan', 'validate', 'query', 'respond', 'total'])
      expect(list.headers.get('server-timing')).toMatch(/^(\w+;dur=\d+\.\d{3}(, |$))+$/)
      expect(list.headers.get('preference-applied')).toBe('server-timing')
      const one = await verso.get('/v1/posts/one', { headers: { prefer: 'respond-async, Server-Timing' } })
      expect(stages(one.headers.get('server-timing'))).toEqual(['authenticate', 'query', 'respond', 'total'])
      for (const headers of [{}, { prefer: 'respond-async' }, { prefer: 'no-server-timings' }])
        expect((await verso.get('/v1/posts', { headers })).headers.get('server-timing')).toBeNull()
    })

    it('publishing what is due is a stage of its own', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Soon', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const { headers } = await verso.get('/v1/posts', { headers: asking })
      expect(stages(headers.get('server-timing'))?.slice(0, 2)).toEqual(['authenticate', 'settle'])
    })

    it('tells refusals too, and is measured anew where the answer was kept; the answer is the same', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const kept = await verso.get('/v1/posts')
      const measured = await verso.get('/v1/posts', { headers: asking })
      expect(stages(measured.headers.get('server-timing'))).toContain('query')
      expect([measured.text, measured.headers.get('etag')]).toEqual([kept.text, kept.headers.get('etag')])
      expect((await verso.get('/v1/posts')).headers.get('server-timing')).toBeNull()
      const refused = await verso.get('/v1/posts?limit=0', { headers: asking })
      expect([refused.status, stages(refused.headers.get('server-timing'))]).toEqual([400, ['authenticate', 'respond', 'total']])
    })

    it('never for a public key, a preview, or no key', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const { body } = await verso.post('/v1/posts/one/preview-tokens', {})
      const answers = [
        await verso.get('/v1/posts', { key: verso.public, headers: asking }),
        await verso.get(`/v1/posts/one?preview_token=${body.token}`, { key: null, headers: asking }),
        await verso.get('/v1/posts', { key: null, headers: asking }),
        await verso.get('/healthz', { key: null, headers: asking }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 200])
      for (const { headers } of answers) expect(headers.get('server-timing')).toBeNull()
    })
  })

  describe(`the access log on ${engine.name}`, () => {
    it('has the trace that a valid traceparent names, at the door and the whole way', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      const trace = '0af7651916cd43dd8448eb211c80319c'
      const ask = async (traceparent?: string) => {
        lines.length = 0
        await verso.get('/v1/posts', { headers: traceparent === undefined ? {} : { traceparent } })
        return JSON.parse(lines.find((line) => line.includes('"msg":"request"')) ?? '{}')
      }
      expect(await ask()).toEqual({
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        requestId: expect.stringMatching(/^req_/),
        method: 'GET',
        route: '/v1/posts',
        status: 200,
        durationMs: expect.any(Number),
        msg: 'request',
      })
      for (const valid of [`00-${trace}-b7ad6b7169203331-01`, `cc-${trace}-b7ad6b7169203331-00-what-the-future-brings`])
        expect((await ask(valid)).traceId).toBe(trace)
      const invalid = [
        `00-${trace}-b7ad6b7169203331-01-more`,
        `ff-${trace}-b7ad6b7169203331-01`,
        `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
        `00-${trace}-${'0'.repeat(16)}-01`,
        `00-${trace.toUpperCase()}-b7ad6b7169203331-01`,
        `00-${trace}-b7ad6b7169203331`,
        'nonsense',
        '',
      ]
      for (const each of invalid) expect(await ask(each)).not.toHaveProperty('traceId')
    })
  })
}
