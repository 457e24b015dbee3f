import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CachedResponse, type ResponseVariant } from '../../../src/http/cache/cached-response.ts'
import { type CacheEntry, ResponseCache } from '../../../src/http/cache/response-cache.ts'

const overhead = 1_024

function answerOf(bytes: Buffer | undefined, revision = 1): CacheEntry {
  return { revision, route: '/v1/posts', response: new CachedResponse({ bytes, headers: [], tag: (wanted) => `"${wanted}"` }) }
}

const text = (length: number) => Buffer.from('words that repeat, '.repeat(length)).subarray(0, length)
const lengthOf = (form: ResponseVariant | undefined) => form?.body?.length ?? 0
const at = (url: string) => ({ view: 'v', url })
/** What an answer with a URL of one letter takes beside its bodies. */
const beside = overhead + 6

describe('the cache of answers', () => {
  it('finds an answer by view, URL and revision alone', () => {
    const cache = new ResponseCache(100_000)
    const answer = cache.add(at('a'), answerOf(text(10)))
    expect(cache.find(at('a'), 1)).toBe(answer)
    expect(cache.find(at('a'), 2)).toBeUndefined()
    expect(cache.find(at('b'), 1)).toBeUndefined()
    expect(cache.find({ view: 'w', url: 'a' }, 1)).toBeUndefined()
  })

  it('goes on with the answer that was there at the same revision, and with the new one at another', () => {
    const cache = new ResponseCache(100_000)
    const first = cache.add(at('a'), answerOf(text(10)))
    expect(cache.add(at('a'), answerOf(text(10)))).toBe(first)
    const second = answerOf(text(20), 2)
    expect(cache.add(at('a'), second)).toBe(second)
    expect(cache.counts).toEqual({ hits: 0, misses: 3, bytes: beside + 20, answers: 1 })
  })

  it('a tag alone gives way to the whole answer, and not the other way round', async () => {
    const cache = new ResponseCache(100_000)
    const tag = cache.add(at('a'), answerOf(undefined))
    expect(cache.add(at('a'), answerOf(undefined))).toBe(tag)
    expect(await cache.variantOf(at('a'), tag, 'br')).toMatchObject({ etag: '"br"', body: undefined })
    expect(cache.counts).toMatchObject({ bytes: beside, answers: 1 })
    const whole = answerOf(text(10))
    expect(cache.add(at('a'), whole)).toBe(whole)
    expect(cache.add(at('a'), answerOf(undefined))).toBe(whole)
    expect(cache.counts).toMatchObject({ bytes: beside + 10, answers: 1 })
  })

  it('keeps a large body when it is asked for again at the same revision, and until then its tag', async () => {
    const cache = new ResponseCache(100_000_000)
    const large = text(2 ** 20 + 1)
    const first = answerOf(large)
    expect(cache.add(at('a'), first)).toBe(first)
    const tag = cache.find(at('a'), 1)
    expect(tag && (await cache.variantOf(at('a'), tag, 'gzip'))).toMatchObject({ etag: '"gzip"', body: undefined })
    expect(cache.counts).toMatchObject({ bytes: beside, answers: 1 })
    const second = answerOf(large)
    expect(cache.add(at('a'), second)).toBe(second)
    expect(cache.find(at('a'), 1)).toBe(second)
    expect(cache.counts).toMatchObject({ bytes: beside + large.length, answers: 1 })
    cache.add(at('a'), answerOf(large, 2))
    expect(cache.counts).toMatchObject({ bytes: beside, answers: 1 })
  })

  it('counts every form that it made, and lets the answers go for it that were not used for the longest', async () => {
    const cache = new ResponseCache(9 * (beside + 2_000))
    const urls = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const answers = urls.map((url) => cache.add(at(url), answerOf(text(2_000))))
    const last = cache.add(at('i'), answerOf(Buffer.from(randomBytes(1_000).toString('hex'))))
    expect(cache.counts).toMatchObject({ bytes: 9 * (beside + 2_000), answers: 9 })
    const br = await cache.variantOf(at('i'), last, 'br')
    const gzip = await cache.variantOf(at('i'), last, 'gzip')
    expect(cache.counts).toMatchObject({ bytes: 8 * (beside + 2_000) + lengthOf(br) + lengthOf(gzip), answers: 8 })
    expect(['a', 'b', 'i'].map((url) => cache.find(at(url), 1))).toEqual([undefined, answers[1], last])
  })

  it('forgets an answer that has grown too large to be kept, and still gives it', async () => {
    const cache = new ResponseCache(4 * (beside + 2_000))
    const answer = cache.add(at('a'), answerOf(text(2_000)))
    expect(cache.counts.answers).toBe(1)
    const form = await cache.variantOf(at('a'), answer, 'br')
    expect(form.coding).toBe('br')
    expect(cache.counts).toMatchObject({ bytes: 0, answers: 0 })
  })

  it('makes a form once, however many ask for it at the same time', async () => {
    const cache = new ResponseCache(1_000_000)
    const answer = cache.add(at('a'), answerOf(text(2_000)))
    const wanted = ['br', 'br', 'br'] as const
    const [first, second, third] = await Promise.all(wanted.map((each) => cache.variantOf(at('a'), answer, each)))
    expect([second, third]).toEqual([first, first])
    expect(second).toBe(first)
    expect(cache.counts.bytes).toBe(beside + 2_000 + lengthOf(first))
    expect(answer.response.ready('br')).toBe(first)
    expect(answer.response.ready('gzip')).toBeUndefined()
  })

  it('a short answer is the same in every form but for its tag', async () => {
    const cache = new ResponseCache(1_000_000)
    const answer = cache.add(at('a'), answerOf(text(100)))
    const forms = await Promise.all((['br', 'gzip', 'identity'] as const).map((wanted) => cache.variantOf(at('a'), answer, wanted)))
    expect(forms.map(({ coding }) => coding)).toEqual(['identity', 'identity', 'identity'])
    expect(new Set(forms.map(({ body }) => body)).size).toBe(1)
    expect(cache.counts.bytes).toBe(beside + 100)
  })
})
