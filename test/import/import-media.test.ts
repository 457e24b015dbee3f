import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImportReport } from '../../src/import/import-report.ts'
import { runImport } from '../../src/import/run-import.ts'
import { mediaOf } from '../../src/import/source-media.ts'
import type { ImportSource, SourceItem, SourceMedia, SourcePost } from '../../src/import/source-post.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'
import { postOf } from './post-fixture.ts'

function asset(url: string, facts: Parameters<typeof mediaOf>[1] = {}): SourceMedia {
  const media = mediaOf(url, facts)
  if (!media) throw new Error(`no media: ${url}`)
  return media
}

function post(name: string, fields: Partial<SourcePost>): SourcePost {
  return { ...postOf(`# ${name}\n`, `${name}.md`), hash: name, ...fields }
}

async function importItems(verso: TestApp, items: readonly SourceItem[], options: { readonly dryRun?: true } = {}): Promise<ImportReport> {
  const source: ImportSource = { kind: 'wordpress', isWhole: true, others: [], total: items.length, read: () => items }
  const plain = { force: false, dryRun: false, isStopped: () => false, onProgress: () => undefined }
  return runImport(verso.app.installation, verso.projectId, source, { ...plain, ...options })
}

for (const engine of engines) {
  describe(`media that imports bring into ${engine.name}`, () => {
    const items: readonly SourceItem[] = [
      {
        kind: 'picture',
        path: '1',
        media: asset('https://a.example/uploads/Harbour%20at%20dusk.JPG', { key: '1', width: 800, height: 600, size: 9, alt: 'Dusk' }),
      },
      post('a', { media: [asset('https://a.example/uploads/Harbour%20at%20dusk.JPG'), asset('https://a.example/b.png')] }),
      post('b', { media: [asset('https://a.example/b.png')] }),
    ]

    it('GET /v1/media: 200 with one record of each URL, and 0 where the source does not know', async () => {
      const verso = await startVerso(engine)
      expect((await importItems(verso, items, { dryRun: true })).made.media).toBe(2)
      expect((await importItems(verso, items)).made.media).toBe(2)
      expect((await verso.get('/v1/media?sort=name')).body.data).toMatchObject([
        {
          url: 'https://a.example/uploads/Harbour%20at%20dusk.JPG',
          filename: 'Harbour at dusk.JPG',
          mimeType: 'image/jpeg',
          size: 9,
          width: 800,
          alt: 'Dusk',
        },
        { url: 'https://a.example/b.png', filename: 'b.png', mimeType: 'image/png', size: 0, width: 0, height: 0, alt: '' },
      ])
    })

    it('GET /v1/media: 200 with the same records after another import, also those registered by hand and those whose URL has changed', async () => {
      const verso = await startVerso(engine)
      const byHand = {
        url: 'https://a.example/b.png',
        filename: 'mine.png',
        mimeType: 'image/png',
        size: 1,
        width: 1,
        height: 1,
        alt: 'Mine',
      }
      const { id } = (await verso.post('/v1/media', byHand)).body
      expect((await importItems(verso, items)).made.media).toBe(1)
      const moved: SourceItem = { kind: 'picture', path: '1', media: asset('https://a.example/elsewhere.jpg', { key: '1' }) }
      const again = [moved, ...items.slice(1)]
      expect(await importItems(verso, again)).toMatchObject({ made: { media: 0 }, posts: { created: 0, updated: 0, unchanged: 2 } })
      const { data } = (await verso.get('/v1/media?sort=name')).body
      expect(data).toHaveLength(2)
      expect(data[1]).toMatchObject({ id, filename: 'mine.png' })
    })

    it('a record that was deleted here stays deleted', async () => {
      const verso = await startVerso(engine)
      await importItems(verso, items)
      for (const { id } of (await verso.get('/v1/media')).body.data) await verso.delete(`/v1/media/${id}`)
      expect((await importItems(verso, items)).made.media).toBe(0)
      expect((await verso.get('/v1/media')).body.data).toEqual([])
    })
  })

  describe(`archived posts that imports bring into ${engine.name}`, () => {
    it('GET /v1/posts/{slug}: 404 for a public key, and the report names them', async () => {
      const verso = await startVerso(engine)
      const report = await importItems(verso, [
        post('past', { status: 'archived', date: '2020-01-02T00:00:00.000Z' as SourcePost['date'] }),
        post('future', { status: 'archived', date: '2030-01-02T00:00:00.000Z' as SourcePost['date'] }),
      ])
      expect(report).toMatchObject({
        drafts: 0,
        scheduled: 0,
        archived: [
          { path: 'past.md', title: 'past' },
          { path: 'future.md', title: 'future' },
        ],
      })
      expect((await verso.get('/v1/posts/past')).body).toMatchObject({ status: 'archived', publishedAt: '2020-01-02T00:00:00.000Z' })
      expect((await verso.get('/v1/posts/future')).body).toMatchObject({ status: 'archived', publishedAt: null, scheduledFor: null })
      expect((await verso.get('/v1/posts/past', { key: verso.public })).status).toBe(404)
    })
  })
}

describe('the media record of a URL', () => {
  it.each([
    ['https://a.example/a/b.jpeg?x=1#y', 'b.jpeg', 'image/jpeg'],
    ['https://a.example/%E2%82%AC.svg', '€.svg', 'image/svg+xml'],
    ['https://a.example/%ff.png', '%ff.png', 'image/png'],
    ['https://a.example/a%2Fb.png', 'a-b.png', 'image/png'],
  ])('%s is %s, %s', (url, filename, mimeType) => {
    expect(mediaOf(url)).toMatchObject({ key: url, filename, mimeType, size: 0, width: 0, height: 0, alt: '' })
  })

  it.each([
    'a.png',
    '/a.png',
    '//a.example/a.png',
    'ftp://a.example/a.png',
    'https://a.example/a.pdf',
    'https://a.example/',
    `https://a.example/${'a'.repeat(2_048)}.png`,
  ])('%s: there is none', (url) => {
    expect(mediaOf(url)).toBeUndefined()
  })

  it('has a name of at most 255 characters, an alternative text of at most 2,000, and no size that is no number', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.double(), (text, number) => {
        const made = asset(`https://a.example/${encodeURIComponent(text)}.png`, { alt: text.repeat(20), size: number, width: -1 })
        expect([...made.filename].length).toBeLessThanOrEqual(255)
        expect([...made.alt].length).toBeLessThanOrEqual(2_000)
        expect(Number.isSafeInteger(made.size) && made.size >= 0).toBe(true)
        expect(made.width).toBe(0)
      }),
    )
  })
})
