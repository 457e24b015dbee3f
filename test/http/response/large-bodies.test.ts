import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { PiecedBody, slicesOf, toBody } from '../../../src/http/body.ts'
import { editProject } from '../../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { askCoded } from '../../harness/coded-requests.ts'
import { engines, shared, startVerso } from '../../harness/harness.ts'

/** Nearly a MiB that no coding halves more than once. */
const content = () => randomBytes(500_000).toString('hex')

for (const engine of engines) {
  describe(`bodies of more than a MiB on ${engine.name}`, () => {
    const service = shared(async () => {
      const verso = await startVerso(engine)
      const { app, context, projectId } = verso
      const edits = { siteUrl: 'https://blog.example.com', permalink: '/posts/{slug}' }
      await app.installation.perform(editProject, operator(projectId, 'cli', toInstant(context.now())), { slug: 'default', edits })
      const contents = [content(), content(), content()]
      for (const [n, each] of contents.entries()) await verso.post('/v1/posts', { title: `Post ${n}`, content: each, status: 'published' })
      return { verso, contents }
    })

    it.each([
      ['/v1/posts', 3],
      ['/v1/posts?fields=title,content', 3],
      ['/v1/posts?include=html', 3],
      ['/v1/posts/post-0?include=html', 1],
      ['/v1/posts/post-0/related', 2],
      ['/v1/changes', 3],
      ['/v1/feeds/default/feed.json', 3],
    ])('GET %s: 200 with the same text in every coding, the first time and again; HEAD: its length and tag', async (path, count) => {
      const { verso, contents } = await service()
      const key = path.startsWith('/v1/feeds/') ? null : verso.secret
      const texts = new Set<string>()
      for (const accept of ['identity', 'br', 'gzip']) {
        for (const _ of ['first', 'second', 'third']) {
          const get = await askCoded(verso.app.url, path, { key, accept: [accept] })
          const head = await askCoded(verso.app.url, path, { key, accept: [accept], method: 'HEAD' })
          expect([get.status, get.headers.get('content-encoding') ?? 'identity']).toEqual([200, accept])
          expect(get.headers.get('content-length')).toBe(String(get.raw.length))
          expect([head.status, head.raw.length, head.headers.get('content-length')]).toEqual([200, 0, String(get.raw.length)])
          expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
          texts.add(get.text)
        }
      }
      expect(texts.size).toBe(1)
      const [text = ''] = texts
      expect(() => JSON.parse(text)).not.toThrow()
      expect(contents.filter((each) => text.includes(each))).toHaveLength(count)
    })
  })
}

describe('a body of pieces', () => {
  const block = randomBytes(3 * 2 ** 20)
  /** Pieces of a block, which are far smaller than it or nearly as large, and texts of their own. */
  const piece = fc.oneof(
    fc.string(),
    fc.nat(200_000).map((length) => new Uint8Array(randomBytes(length))),
    fc.tuple(fc.nat(10), fc.nat(block.length)).map(([from, to]) => block.subarray(from, Math.max(from, to))),
  )

  it('has their bytes in order, in slices of any size, and keeps no more than twice as many alive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.integer({ min: 1_000, max: 300_000 }), async (pieces, most) => {
        const whole = Buffer.concat(pieces.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)))
        const body = await toBody(pieces)
        const slices = [...slicesOf(body, most)]
        expect(body.length).toBe(whole.length)
        expect(Buffer.concat(slices).equals(whole)).toBe(true)
        expect(slices.every(({ length }) => length > 0 && length <= most)).toBe(true)
        const parts = body instanceof PiecedBody ? body.pieces : [body]
        expect(parts.every(({ length, buffer }) => buffer.byteLength <= length * 2)).toBe(true)
      }),
    )
  })
})
