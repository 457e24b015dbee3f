import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReadSettings } from '../../src/import/markdown/post-fields/parsed-post.ts'
import type { MarkdownPost } from '../../src/import/markdown/post-fields/to-source-post.ts'
import { openFolder } from '../../src/import/markdown/read-folder.ts'
import type { ImportSource, SourceItem } from '../../src/import/source-post.ts'
import { testNow } from './post-fixture.ts'

/** A folder with these files, gone when the test is. */
export async function blogOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'verso-blog-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await writeFiles(root, files)
  return root
}

/** Writes these files into a folder, and takes those away that are `null`. */
export async function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await (text === null ? rm(join(root, path)) : writeFile(join(root, path), text))
  }
}

export async function itemsIn(root: string, settings: Partial<ReadSettings> = {}): Promise<readonly SourceItem<MarkdownPost>[]> {
  return itemsOf(await openFolder(root, { now: testNow, ...settings }))
}

/** Everything that a source has, what it does not read first. */
export async function itemsOf({ others, read }: ImportSource<MarkdownPost>): Promise<readonly SourceItem<MarkdownPost>[]> {
  const items: SourceItem<MarkdownPost>[] = [...others]
  for await (const item of read()) items.push(item)
  return items
}

/** One word for each item: a post's slug, a fault's line, or why there is no post. */
export async function outlineOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Record<string, string>> {
  const items = await itemsIn(await blogOf(files))
  return Object.fromEntries(items.map((item) => [item.path, wordFor(item)]))
}

function wordFor(item: SourceItem): string {
  if (item.kind === 'skip') return item.reason
  if (item.kind === 'picture') return 'picture'
  return item.kind === 'fault' ? `fault, line ${item.line}: ${item.message}` : `post ${item.slug}, ${item.date}`
}
