import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestEngine } from '../../harness/harness.ts'
import { temporaryFolder } from '../../harness/program.ts'
import { exportFrom, filesIn, importExportInto } from './export-fixture.ts'

describe.each(engines)('the record of an export on $name', (engine) => {
  it('a file that is edited and imported again and again updates the post each time; what others change is a conflict', async () => {
    const verso = await startVerso(engine)
    const { body: post } = await verso.post('/v1/posts', { title: 'A', content: 'text' })
    const [mine, other] = [temporaryFolder(), temporaryFolder()]
    for (const folder of [mine, other]) await exportFrom(verso, folder)
    const edit = (folder: string, more: string) => appendFileSync(join(folder, 'posts/a.md'), more)
    for (const [day, content] of [
      ['02', 'text 02'],
      ['03', 'text 02 03'],
    ] as const) {
      verso.context.travelTo(`2026-06-${day}T00:00:00Z`)
      edit(mine, ` ${day}`)
      expect(await importExportInto(verso, mine, { dryRun: true })).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
      expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
      expect((await verso.get(`/v1/posts/${post.id}`)).body.content).toBe(content)
    }
    edit(other, ' other')
    expect(await importExportInto(verso, other)).toMatchObject({ posts: { updated: 0, conflicting: 1 } })
    verso.context.travelTo('2026-06-04T00:00:00Z')
    await verso.patch(`/v1/posts/${post.id}`, { title: 'B' })
    edit(mine, ' 04')
    expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 0, conflicting: 1 } })
    await exportFrom(verso, mine, { force: true })
    edit(mine, ' 05')
    expect(await importExportInto(verso, mine)).toMatchObject({ posts: { updated: 1, conflicting: 0 } })
  })

  it('a file that was edited and imported is written by the next export, unless another project took it or it has fields of its own', async () => {
    const verso = await startVerso(engine)
    for (const title of ['A', 'B', 'C', 'D']) await verso.post('/v1/posts', { title, content: 'text' })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const edit = (slug: string, from: RegExp, to: string) => {
      const path = join(folder, `posts/${slug}.md`)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    edit('a', /text$/, 'edited')
    edit('b', /^slug: b$/m, 'slug: moved')
    edit('c', /^title:/m, 'layout: wide\n$&')
    edit('d', /^title: D$/m, '# mine\ntitle: "Other"')
    const copy = await startVerso(engine)
    await importExportInto(copy, folder)
    const names = (slugs: readonly string[]) => slugs.map((slug) => `posts/${slug}.md`)
    expect((await exportFrom(verso, folder)).edited.toSorted()).toEqual(names(['a', 'b', 'c', 'd']))
    verso.context.travelTo('2026-06-02T00:00:00Z')
    expect(await importExportInto(verso, folder)).toMatchObject({ posts: { updated: 3, unchanged: 1, conflicting: 0 } })
    expect(await exportFrom(verso, folder)).toMatchObject({ files: { written: 3, removed: 1 }, edited: names(['c']) })
    expect(readdirSync(join(folder, 'posts')).toSorted()).toEqual(['a.md', 'c.md', 'd.md', 'moved.md'])
    expect(await importExportInto(verso, folder)).toMatchObject({ posts: { updated: 0, unchanged: 4, conflicting: 0, failed: 0 } })
    appendFileSync(join(folder, 'posts/a.md'), ' again')
    expect((await exportFrom(verso, folder)).edited.toSorted()).toEqual(names(['a', 'c']))
  })
})

it.each(['', '{"format":1,"fi', '[]', '{"format":1}', '{"format":1,"files":null}'])(
  'an export with the record %j: an error that names the file; --force writes it anew',
  async (text) => {
    const [engine] = engines as readonly [TestEngine]
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    writeFileSync(join(folder, 'verso-export.json'), text)
    for (const run of [exportFrom, importExportInto]) await expect(run(verso, folder)).rejects.toThrow('verso-export.json is damaged')
    await exportFrom(verso, folder, { force: true })
    expect(await exportFrom(verso, folder)).toMatchObject({ files: { written: 0 } })
  },
)

it('an export into the folder of another project is refused, with --force too, and nothing of it is gone', async () => {
  const [engine] = engines as readonly [TestEngine]
  const [one, other] = [await startVerso(engine), await startVerso(engine)]
  await one.post('/v1/posts', { title: 'One' })
  await other.post('/v1/posts', { title: 'Other' })
  const folder = temporaryFolder()
  await exportFrom(one, folder)
  const before = filesIn(folder)
  for (const force of [false, true]) await expect(exportFrom(other, folder, { force })).rejects.toThrow('another project')
  expect(filesIn(folder)).toEqual(before)
  expect(await exportFrom(one, folder)).toMatchObject({ files: { written: 0 } })
})
