import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askCoded, type CodedAnswer } from '../../harness/coded-requests.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

const prose = 'Words that people read, in paragraphs of some length, and again. '.repeat(60)
/** What a client may send, and the coding that it gets. */
const asks = [
  [[], null],
  [['gzip, deflate, br, zstd'], 'br'],
  [['gzip, deflate'], 'gzip'],
  [['x-gzip'], 'gzip'],
  [['br;q=0.2', 'GZIP;q=0.4'], 'gzip'],
  [['gzip', 'br'], 'br'],
  [['*'], 'br'],
  [['identity'], null],
  [['identity;q=0.9, br;q=0.5'], null],
  [['br, identity;q=0'], 'br'],
  [['zstd, deflate'], null],
  [[''], null],
] as const

/** The headers that the request and the state decide. */
function told({ headers }: CodedAnswer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)))
}

async function withPosts(verso: TestApp): Promise<void> {
  await verso.post('/v1/posts', { title: 'One', content: prose, status: 'published' })
  await verso.post('/v1/posts', { title: 'Two', content: prose, status: 'published' })
  await verso.post('/v1/posts', { title: 'Short', status: 'published' })
}

for (const engine of engines) {
  describe(`content codings on ${engine.name}`, () => {
    it.each(['/v1/posts', '/v1/posts/one', '/v1/posts?trashed=true', '/v1/changes', '/openapi.json'])(
      'GET %s: in the coding that is preferred, the first time and again, with a tag, a length and bytes of its own',
      async (path) => {
        const verso = await startVerso(engine)
        await withPosts(verso)
        for (const each of ['one', 'two']) await verso.post('/v1/posts', { title: `Trash ${each}`, content: prose })
        for (const each of ['one', 'two']) await verso.delete(`/v1/posts/trash-${each}`)
        const ask = (accept: readonly string[], more = {}) => askCoded(verso.app.url, path, { key: verso.secret, accept, ...more })
        const plain = await ask([])
        const tags = new Map<string, string | null>()
        for (const round of ['first', 'second', 'third']) {
          for (const [accept, coding] of asks) {
            const answer = await ask(accept)
            const what = `${round} ${accept}`
            expect([answer.status, answer.headers.get('content-encoding')], what).toEqual([200, coding])
            expect(answer.text === plain.text, what).toBe(true)
            expect(answer.headers.get('content-length'), what).toBe(String(answer.raw.length))
            expect(answer.headers.get('vary'), what).toContain('Accept-Encoding')
            if (coding !== null) expect(answer.raw.length).toBeLessThan(plain.raw.length)
            const etag = answer.headers.get('etag')
            if (etag === null) continue
            const form = String(coding)
            expect(tags.get(form) ?? etag, what).toBe(etag)
            tags.set(form, etag)
            const head = await ask(accept, { method: 'HEAD' })
            expect(told(head), what).toEqual(told(answer))
            const again = await ask(accept, { headers: { 'if-none-match': etag } })
            expect([again.status, again.raw.length, again.headers.get('etag')], what).toEqual([304, 0, etag])
            expect([again.headers.get('content-encoding'), again.headers.get('content-length')]).toEqual([null, null])
            expect(again.headers.get('vary'), what).toBe(answer.headers.get('vary'))
          }
        }
        if (!path.startsWith('/v1/changes')) expect(new Set(['null', 'gzip', 'br'].map((form) => tags.get(form))).size).toBe(3)
      },
    )

    it('a tag of one coding is not known in another; If-Match takes those of all', async () => {
      const verso = await startVerso(engine)
      await withPosts(verso)
      const codings = ['br', 'gzip', 'identity']
      for (const path of ['/v1/posts/one', '/v1/posts', '/openapi.json']) {
        for (const coding of codings) {
          const etag = (await askCoded(verso.app.url, path, { key: verso.public, accept: [coding] })).headers.get('etag') ?? ''
          for (const other of codings) {
            const headers = { 'if-none-match': etag }
            const { status } = await askCoded(verso.app.url, path, { key: verso.public, accept: [other], headers })
            expect(status, `${path} ${coding} ${other}`).toBe(coding === other ? 304 : 200)
          }
        }
      }
      for (const [i, coding] of codings.entries()) {
        const { headers } = await askCoded(verso.app.url, '/v1/posts/one', { key: verso.secret, accept: [coding] })
        const match = { 'if-match': headers.get('etag') ?? '' }
        expect((await verso.patch('/v1/posts/one', { excerpt: `${i}` }, { headers: match })).status).toBe(200)
        expect((await verso.patch('/v1/posts/one', { excerpt: 'x' }, { headers: match })).status).toBe(412)
      }
    })

    it('who only ever asks whether it is still so is told so, and whoever asks for the whole gets it', async () => {
      const verso = await startVerso(engine)
      await withPosts(verso)
      for (const path of ['/v1/posts', '/v1/posts/one']) {
        const ask = (accept: string, etag?: string | null) =>
          askCoded(verso.app.url, path, { key: verso.public, accept: [accept], ...(etag && { headers: { 'if-none-match': etag } }) })
        const known = await ask('br')
        await verso.post('/v1/posts', { title: 'Public again', status: 'published' })
        await verso.delete('/v1/posts/public-again')
        const changed = await ask('br', known.headers.get('etag'))
        // A change of what all see forgets what is kept; the tag is learned from an answer that is not.
        const { headers } = await askCoded(verso.app.url, `${path}?`, { key: verso.public, accept: ['br'] })
        const etag = headers.get('etag')
        expect(changed.status).toBe(path === '/v1/posts' ? 200 : 304)
        for (const round of ['first', 'second', 'third']) {
          const again = await ask('br', etag)
          expect([again.status, again.headers.get('etag'), again.headers.get('vary')], round).toEqual([304, etag, headers.get('vary')])
          expect((await ask('gzip', etag)).status, round).toBe(200)
        }
        const whole = await ask('br')
        expect([whole.status, whole.headers.get('etag'), whole.headers.get('content-encoding')]).toEqual([200, etag, 'br'])
        expect((await ask('br', etag)).status).toBe(304)
      }
    })

    it('a short answer has no coding, whatever is excluded', async () => {
      const verso = await startVerso(engine)
      await withPosts(verso)
      for (const path of ['/v1/posts/short', '/v1/posts?limit=1&exclude=content', '/healthz', '/v1/posts/none']) {
        const coding = async (accept: string) =>
          (await askCoded(verso.app.url, path, { key: verso.secret, accept: [accept] })).headers.get('content-encoding')
        for (const round of ['first', 'second']) {
          expect(await coding('br, gzip'), `${round} ${path}`).toBeNull()
          expect(await coding('gzip, identity;q=0'), `${round} ${path}`).toBeNull()
        }
      }
    })

    it('a header that excludes every coding, and none as well, is disregarded, of a read as of a write', async () => {
      const verso = await startVerso(engine)
      const ask = (accept: string, more = {}) => askCoded(verso.app.url, '/v1/posts', { key: verso.secret, accept: [accept], ...more })
      await ask('br')
      for (const accept of ['*;q=0', 'identity;q=0', 'identity;q=0, zstd']) {
        const { status, headers } = await ask(accept)
        expect([status, headers.get('content-encoding')]).toEqual([200, null])
      }
      const write = { method: 'POST', body: '{"title":"One"}' }
      const { status, headers } = await ask('identity;q=0, gzip', write)
      expect([status, headers.get('content-encoding')]).toEqual([201, null])
    })

    it('what was written is never coded, and a repeat has the same bytes', async () => {
      const verso = await startVerso(engine)
      const body = JSON.stringify({ title: 'One', content: prose })
      const ask = (accept: string) =>
        askCoded(verso.app.url, '/v1/posts', {
          method: 'POST',
          key: verso.secret,
          body,
          accept: [accept],
          headers: { 'idempotency-key': 'k' },
        })
      const [first, second, third] = [await ask('br'), await ask('gzip'), await ask('identity')]
      expect([first, second, third].map(({ status, headers }) => [status, headers.get('content-encoding')])).toEqual(
        Array(3).fill([201, null]),
      )
      expect(second.raw.equals(first.raw) && third.raw.equals(first.raw)).toBe(true)
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
      const { headers } = await askCoded(verso.app.url, '/v1/posts/one', { key: verso.secret })
      expect(headers.get('etag')).toBe(first.headers.get('etag'))
    })

    it('a long problem is coded, and still one; its type has no charset', async () => {
      const verso = await startVerso(engine)
      const body = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, i])))
      const answer = await askCoded(verso.app.url, '/v1/posts', { method: 'POST', key: verso.secret, body, accept: ['gzip'] })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([422, 'gzip'])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(JSON.parse(answer.text).code).toBe('validation_failed')
    })

    it('/metrics is coded, too', async () => {
      const verso = await startVerso(engine, { env: { VERSO_METRICS_TOKEN: 'a-token-of-some-length' } })
      const answer = await askCoded(verso.app.url, '/metrics', { key: 'a-token-of-some-length', accept: ['gzip'] })
      expect([answer.status, answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([200, 'gzip', 'Accept-Encoding'])
      expect(answer.text).toContain('verso_build_info')
    })

    it('those who ask for a form at the same time all get it', async () => {
      const verso = await startVerso(engine)
      await withPosts(verso)
      const asked = ['br', 'gzip', 'identity'].flatMap((coding) => Array<string>(20).fill(coding))
      const answers = await Promise.all(
        asked.map((coding) => askCoded(verso.app.url, '/v1/posts', { key: verso.public, accept: [coding] })),
      )
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const forms = new Set(answers.map(({ headers, raw }) => `${headers.get('etag')} ${headers.get('content-encoding')} ${sha(raw)}`))
      expect(forms.size).toBe(3)
    })

    it('whatever is asked in whatever order: a tag stands for the same bytes for ever, and 304 is said of what is still so', async () => {
      const verso = await startVerso(engine)
      await withPosts(verso)
      const bytesOf = new Map<string, string>()
      const paths = ['/v1/posts', '/v1/posts/one', '/v1/posts?limit=1&exclude=content']
      const step = fc.record({
        write: fc.boolean(),
        path: fc.constantFrom(...paths),
        accept: fc.constantFrom('br', 'gzip', 'identity', 'br, identity;q=0', 'gzip;q=0.5, br;q=0'),
        known: fc.nat(20),
      })
      let count = 0
      const run = async ({ write, path, accept, known }: { write: boolean; path: string; accept: string; known: number }) => {
        if (write) await verso.patch('/v1/posts/one', { excerpt: `${count++}` })
        const ask = (headers: Record<string, string>) => askCoded(verso.app.url, path, { key: verso.public, accept: [accept], headers })
        const sent = [...bytesOf.keys()].at(-1 - known)
        const answer = await ask(sent === undefined ? {} : { 'if-none-match': sent })
        const fresh = await ask({})
        const etag = fresh.headers.get('etag') ?? ''
        expect(answer.headers.get('etag')).toBe(etag)
        expect(answer.status).toBe(sent === etag ? 304 : 200)
        expect(bytesOf.get(etag) ?? sha(fresh.raw)).toBe(sha(fresh.raw))
        if (answer.status === 200) expect(sha(answer.raw)).toBe(sha(fresh.raw))
        bytesOf.delete(etag)
        bytesOf.set(etag, sha(fresh.raw))
        const single = path.endsWith('one')
          ? JSON.parse(fresh.text)
          : JSON.parse(fresh.text).data.find((post: { slug: string }) => post.slug === 'one')
        if (single && count > 0) expect(single.excerpt).toBe(`${count - 1}`)
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          for (const each of steps) await run(each)
        }),
        { numRuns: 15 },
      )
    })
  })
}

function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
