import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDataFiles } from '../../../src/import/markdown/data-files.ts'
import type { MarkdownPost } from '../../../src/import/markdown/post-fields/to-source-post.ts'
import { scanFolder } from '../../../src/import/markdown/scan-folder.ts'
import type { SourceItem } from '../../../src/import/source-post.ts'
import { realBlogs, withoutBlogs } from '../../harness/real-blogs.ts'
import { itemsIn } from '../blog-fixture.ts'
import { bodyOf, type Census, type ExpectedBlog, takeCensus } from '../census.ts'

describe.each(realBlogs)('the posts of %s', compare)
if (realBlogs.length === 0) it.skip(`the posts of real blogs: ${withoutBlogs}`)

function compare(_: string, expected: ExpectedBlog, root: string): void {
  let items: readonly SourceItem<MarkdownPost>[]
  let posts: readonly MarkdownPost[]
  let census: Census

  beforeAll(async () => {
    items = await itemsIn(root)
    posts = items.filter((item) => item.kind === 'post')
    census = takeCensus(items, (path) => readFileSync(join(root, path)))
  })

  it('are all read, and no file is at fault', () => {
    expect(items.filter(({ kind }) => kind === 'fault')).toEqual([])
    expect(posts).toHaveLength(expected.counts.posts ?? 0)
  })

  it('are counted as an independent count has them', () => {
    // Of bodies with HTML the independent count tells the number, not the pattern; that bodies are the same bytes is shown below.
    const { body_with_html: _, ...counts } = expected.counts
    expect(census.counts).toMatchObject(counts)
    expect(census.images).toEqual(expected.images)
    expect(census.formats).toEqual(expected.front_matter)
    expect(census.years).toBe(expected.years)
    expect(census.duplicateTitles).toBe(expected.dup_titles)
  })

  it('have the tags, categories and authors of an independent count', () => {
    for (const kind of ['tags', 'categories', 'authors'] as const) {
      const { top, ...totals } = expected[kind]
      expect(census[kind].totals, kind).toMatchObject(totals)
      expect(Object.fromEntries(census[kind].uses), kind).toMatchObject(Object.fromEntries(top))
    }
  })

  it('have languages and slugs that repeat where the independent count has them', () => {
    if (Object.keys(expected.languages).length > 0) expect(census.languages).toEqual(expected.languages)
    expect(census.duplicateSlugs(Object.keys(expected.languages).length > 0)).toEqual(expected.dup_slug_list)
    expect(expected.dup_slug_list).toHaveLength(expected.dup_slugs)
  })

  it('have as content the very bytes behind the closing fence', () => {
    for (const post of posts) expect(Buffer.from(post.content).equals(bodyOf(readFileSync(join(root, post.path)))), post.path).toBe(true)
  })

  it('come in the order of their paths, each once', () => {
    const paths = posts.map(({ path }) => path)
    expect(paths).toEqual([...new Set(paths)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })

  if (expected.author_map === undefined) return
  it('name only authors that the author file knows', async () => {
    const scan = await scanFolder(root)
    const { authorFiles } = readDataFiles(scan)
    const known = authorFiles.flatMap(({ people }) => [...people.keys()])
    expect(known).toHaveLength(expected.author_map?.entries ?? 0)
    expect(known.filter((key) => census.authors.uses.has(key))).toHaveLength(expected.author_map?.keys_referenced ?? 0)
  })
}
