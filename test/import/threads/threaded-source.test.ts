import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openSource, type SourceOptions } from '../../../src/import/exports/open-source.ts'
import { FileFault } from '../../../src/import/exports/read-text.ts'
import { MissingSiteUrl } from '../../../src/import/ghost/missing-site-url.ts'
import { findTimezone } from '../../../src/import/markdown/post-fields/timezone.ts'
import type { ImportSource } from '../../../src/import/source-post.ts'
import { openInThread } from '../../../src/import/threads/threaded-source.ts'
import { blogOf } from '../blog-fixture.ts'
import { fileOf, plainOptions } from '../exports/export-fixture.ts'
import { ghostExport, ghostPost } from '../ghost/ghost-fixture.ts'
import { item, wxr } from '../wordpress/wxr-fixture.ts'

const numbered = (count: number, make: (id: number) => string) => Array.from({ length: count }, (_, i) => make(i + 1))

it.each([
  ['WordPress', () => fileOf('e.xml', wxr(numbered(120, (id) => item({ id, gmt: '', content: `<p>Ship ${id}</p><hr>` }))))],
  ['Ghost', () => fileOf('g.json', ghostExport({ posts: [ghostPost()] }))],
  ['a folder', () => blogOf({ 'a.md': '---\ndate: 2020-07-01 12:00\n---\n# A\n', 'b.md': '---\n- x\n---\n', 'c.txt': 'C' })],
])('%s is the same source as without a thread, with all its options', async (_, make) => {
  const path = await make()
  const options = { ...plainOptions, timezone: findTimezone('Europe/Berlin'), renamed: new Map([['topics', 'tags']]) }
  expect(await allOf(await openInThread(path, options))).toEqual(await allOf(await openSource(path, options)))
})

it('what is wrong with a file comes through as what it is', async () => {
  const open = (path: string, options: SourceOptions = plainOptions) => openInThread(path, options).catch((error: unknown) => error)
  const fault = await open(await fileOf('e.xml', wxr([item()]).slice(0, -60)))
  expect(fault).toBeInstanceOf(FileFault)
  expect(fault).toMatchObject({ line: 13, message: expect.stringContaining('ends before its end') })
  expect(await open(await fileOf('g.json', ghostExport({ posts: [ghostPost({ html: '__GHOST_URL__/a' })] })))).toBeInstanceOf(
    MissingSiteUrl,
  )
})

it('an export is read with far less memory than it has bytes', async () => {
  const picture = (id: number) =>
    item({ id, type: 'attachment', more: `<wp:attachment_url>https://harbour.example/uploads/${id}.jpg</wp:attachment_url>` })
  const text = 'All that a captain writes into the book of a ship in a year. '.repeat(400)
  const path = await fileOf('e.xml', wxr(numbered(2_000, (id) => `${picture(2 * id)}${item({ id: 2 * id + 1, content: text })}`)))
  const { timezone, onProgress, ...options } = plainOptions
  const resourceLimits = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 }
  const file = createRequire(import.meta.url).resolve('#reading-thread')
  const thread = new Worker(file, { workerData: { path, options }, resourceLimits })
  const opened = await new Promise((resolve) => {
    thread.on('error', resolve)
    thread.on('message', ({ kind, source }) => kind === 'opened' && resolve(source))
  })
  await thread.terminate()
  expect(opened).toMatchObject({ total: 4_000 })
})

async function allOf({ read, ...source }: ImportSource): Promise<unknown> {
  const items = []
  for await (const item of read()) items.push(item)
  return { ...source, items }
}
