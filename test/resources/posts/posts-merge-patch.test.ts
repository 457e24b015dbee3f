import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** RFC 7396 §2, word for word. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result = new Map(Object.entries(typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name)
    else result.set(name, mergePatch(result.get(name), value))
  }
  return Object.fromEntries(result)
}

/** What a post looks like of which only these fields are set. */
function represented(fields: { readonly [name: string]: Json }) {
  const seo = (fields.seo ?? {}) as Record<string, Json>
  return {
    title: fields.title,
    content: fields.content ?? '',
    excerpt: fields.excerpt ?? null,
    tags: fields.tags ?? [],
    seo: {
      title: seo.title ?? null,
      description: seo.description ?? null,
      canonicalUrl: seo.canonicalUrl ?? null,
      ogImage: seo.ogImage ?? null,
    },
  }
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((each) => !each.includes('\0') && each.isWellFormed())
const line = text.filter((each) => each.trim() !== '').map((each) => each.trim())
const url = fc.webUrl({ validSchemes: ['http', 'https'], size: 'small' })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 })
const seo = fc.record(
  { title: optional(text), description: optional(text), canonicalUrl: optional(url), ogImage: optional(url) },
  { requiredKeys: [] },
)
const fields = {
  content: optional(text),
  excerpt: optional(text),
  tags: optional(fc.uniqueArray(line, { maxLength: 4, selector: (tag) => tag.toLowerCase() })),
  seo: optional(seo),
}
const patch = fc.record({ title: line, ...fields }, { requiredKeys: [] })

for (const engine of engines) {
  describe(`merge patches on ${engine.name}`, () => {
    it('PATCH does what RFC 7396 says, and a version is added only where something changes', async () => {
      const verso = await startVerso(engine)
      const property = fc.asyncProperty(line, fc.array(patch, { minLength: 1, maxLength: 8 }), async (title, patches) => {
        const { body: post } = await verso.post('/v1/posts', { title })
        let target: { readonly [name: string]: Json } = { title }
        let version = 1
        for (const each of patches) {
          const before = represented(target)
          target = mergePatch(target, each) as typeof target
          const expected = represented(target)
          if (JSON.stringify(expected) !== JSON.stringify(before)) version++
          const answer = await verso.patch(`/v1/posts/${post.id}`, each)
          expect(answer.body, answer.text).toMatchObject({ ...expected, version, slug: post.slug, status: 'draft' })
          expect(answer.body.seo).toEqual(expected.seo)
        }
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 25 : 10 })
    })
  })
}
