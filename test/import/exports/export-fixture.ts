import { join } from 'node:path'
import { openSource, type SourceOptions } from '../../../src/import/exports/open-source.ts'
import type { ImportReport } from '../../../src/import/import-report.ts'
import { runImport } from '../../../src/import/run-import.ts'
import type { SourceItem, SourcePost } from '../../../src/import/source-post.ts'
import type { TestApp } from '../../harness/harness.ts'
import { blogOf } from '../blog-fixture.ts'
import { testNow } from '../post-fixture.ts'

export const plainOptions: SourceOptions = {
  timezone: undefined,
  language: undefined,
  siteUrl: undefined,
  renamed: undefined,
  types: [],
  trash: false,
  pages: false,
  primaryTagIsCategory: false,
  now: testNow,
  onProgress: () => undefined,
}

/** A file of this content; gone when the test is. */
export async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  return join(await blogOf({ [name]: content }), name)
}

export async function importFile(
  verso: Pick<TestApp, 'app' | 'projectId'>,
  path: string,
  options: Partial<SourceOptions> = {},
): Promise<ImportReport> {
  const plain = { force: false, dryRun: false, isStopped: () => false, onProgress: () => undefined }
  return runImport(verso.app.installation, verso.projectId, await openSource(path, { ...plainOptions, ...options }), plain)
}

export async function itemsIn(path: string, options: Partial<SourceOptions> = {}): Promise<readonly SourceItem[]> {
  const items: SourceItem[] = []
  for await (const item of (await openSource(path, { ...plainOptions, ...options })).read()) items.push(item)
  return items
}

/** The only post of a file. */
export async function postIn(path: string, options: Partial<SourceOptions> = {}): Promise<SourcePost> {
  const posts = (await itemsIn(path, options)).filter((item) => item.kind === 'post')
  const [post] = posts
  if (!post || posts.length !== 1) throw new Error(`${posts.length} posts`)
  return post
}
