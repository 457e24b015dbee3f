import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ExpectedBlog } from '../import/census.ts'

const folder = resolve(import.meta.dirname, '../../../shared/data')
const expectedPath = join(folder, 'expected.json')

/** Blogs of real projects, each a folder, with what an independent count says of them. None where `../shared/data` is missing. */
export const realBlogs: readonly (readonly [name: string, expected: ExpectedBlog, path: string])[] = readBlogs()

/** Exports of WordPress and Ghost, each a file. */
export const realExports: readonly (readonly [name: string, path: string])[] = readExports()

export const withoutBlogs = 'skipped, as ../shared/data is missing beside this folder'

function readBlogs() {
  if (!existsSync(expectedPath)) return []
  const { blogs } = JSON.parse(readFileSync(expectedPath, 'utf8')) as { readonly blogs: Readonly<Record<string, ExpectedBlog>> }
  return Object.entries(blogs).map(([name, expected]) => [name, expected, join(folder, name)] as const)
}

function readExports() {
  if (!existsSync(expectedPath)) return []
  const { wxr, ghost } = JSON.parse(readFileSync(expectedPath, 'utf8')) as Readonly<Record<'wxr' | 'ghost', object>>
  const names = [...Object.keys(wxr).map((name) => ['wxr', name] as const), ...Object.keys(ghost).map((name) => ['ghost', name] as const)]
  return names.map(([kind, name]) => [name, join(folder, kind, name)] as const)
}
