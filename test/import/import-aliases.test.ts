import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { blogFor } from './import-fixture.ts'

const post = (title: string, ...aliases: readonly string[]) =>
  `---\ntitle: ${title}\ndate: 2020-01-01\naliases: ${JSON.stringify(aliases)}\n---\nText\n`
const aliasNotes = (notes: readonly { readonly note: string }[]) => notes.map(({ note }) => note).filter((note) => note.includes('alias'))

for (const engine of engines) {
  describe(`verso import: aliases on ${engine.name}`, () => {
    it('a post gets the aliases that no other post has, and a note names the others', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Here', aliases: ['/here'] })
      const files = { 'a.md': post('A', '/a', '/here', '/é'), 'b.md': post('B', '/%C3%A9', '/b'), 'c.md': post('C', '/c', '/c') }
      const blog = await blogFor(verso, files)
      const dry = await blog.import({ dryRun: true })
      const report = await blog.import()
      expect(report).toEqual(dry)
      expect(report.posts).toMatchObject({ created: 3, failed: 0 })
      expect(aliasNotes(report.notes)).toEqual([
        'the alias "/here" belongs to another post; left out',
        'the alias "/%C3%A9" belongs to another post; left out',
      ])
      const { data } = (await verso.get('/v1/posts?fields=slug,aliases&sort=slug')).body
      expect(data).toMatchObject([
        { slug: 'a', aliases: ['/a', '/%C3%A9'] },
        { slug: 'b', aliases: ['/b'] },
        { slug: 'c', aliases: ['/c'] },
        { slug: 'here', aliases: ['/here'] },
      ])
      expect(await blog.import()).toMatchObject({ posts: { unchanged: 3 } })
    })

    it('an alias goes from one post to another', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': post('A', '/x', '/y'), 'b.md': post('B', '/z') })
      await blog.import()
      await blog.write({ 'a.md': post('A', '/z', '/y'), 'b.md': post('B', '/x', '/y') })
      expect(aliasNotes((await blog.import()).notes)).toEqual(['the alias "/y" belongs to another post; left out'])
      const { data } = (await verso.get('/v1/posts?fields=aliases&sort=slug')).body
      expect(data.map(({ aliases }: { aliases: unknown }) => aliases)).toEqual([['/z', '/y'], ['/x']])
    })

    it('what is no path of the site is left out with a note, and what is beyond 50 is counted', async () => {
      const verso = await startVerso(engine)
      const many = Array.from({ length: 52 }, (_, i) => `/old/${i}`)
      const blog = await blogFor(verso, { 'a.md': post('A', 'mailto:a@example.com', ...many) })
      const { notes, losses } = await blog.import()
      expect(notes.map(({ note }) => note)).toContain('these old addresses are no paths of the site: "mailto:a@example.com"')
      expect(losses).toMatchObject({ 'aliases beyond what a post can have': 2 })
      expect((await verso.get('/v1/posts/a')).body.aliases).toEqual(many.slice(0, 50))
    })
  })
}
