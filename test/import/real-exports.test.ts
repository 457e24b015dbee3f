import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { engines, startVerso, type TestEngine, testContext } from '../harness/harness.ts'
import { withoutBlogs } from '../harness/real-blogs.ts'
import { importFile } from './exports/export-fixture.ts'
import { revisionsOf } from './import-fixture.ts'

const folder = resolve(import.meta.dirname, '../../../shared/data')
const guide = readFileSync(resolve(import.meta.dirname, '../../docs/reference/import.md'), 'utf8')
const [sqlite] = engines as readonly [TestEngine]
const now = '2026-11-21T00:00:00.000Z'

interface Expected {
  readonly wxr: Readonly<Record<string, { readonly items: Readonly<Record<string, number>> }>>
  readonly ghost: Readonly<Record<string, { readonly posts: Readonly<Record<string, number>> }>>
}

const expected: Expected = existsSync(join(folder, 'expected.json'))
  ? JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  : { wxr: {}, ghost: {} }
const exports = [
  ...Object.entries(expected.wxr).map(([name, { items }]) => [name, 'wxr', items] as const),
  ...Object.entries(expected.ghost).map(([name, { posts }]) => [name, 'ghost', posts] as const),
]

if (exports.length === 0) it.skip(`real exports are imported: ${withoutBlogs}`)
it.each(exports)(
  '%s imports with the counts of an independent count, once, and with no private post public',
  async (name, kind, counted) => {
    const verso = await startVerso(sqlite, { context: testContext(now) })
    const path = join(folder, kind, name)
    const options = { siteUrl: 'https://site.example' }
    const report = await importFile(verso, path, options)
    const sum = (...types: readonly RegExp[]) =>
      Object.entries(counted).reduce((total, [type, count]) => total + (types.some((each) => each.test(type)) ? count : 0), 0)
    expect(report.posts).toEqual({ created: sum(/^post\/(?!trash)/), updated: 0, unchanged: 0, conflicting: 0, failed: 0 })
    expect(report.skipped.page ?? 0).toBe(sum(/^page\/(?!trash)/))
    const total = (await verso.get('/v1/posts?limit=1', { key: verso.public })).body.pagination.total
    expect(total).toBe(report.posts.created - report.drafts - report.scheduled - report.archived.length)
    expect(report.drafts).toBe(sum(/^post\/(?:draft|pending)$/))
    const before = await revisionsOf(verso)
    expect((await importFile(verso, path, options)).posts).toMatchObject({ created: 0, updated: 0, unchanged: report.posts.created })
    expect(await revisionsOf(verso)).toEqual(before)
    const { 'block kept as HTML': kept = 0, ...others } = report.losses
    const losses = Object.entries(others).map(([loss, count]) => `${count} ${loss.replace(/[<>]/g, '`')}`)
    const { drafts, scheduled, archived, made, notes } = report
    const row = [
      name,
      report.posts.created,
      drafts,
      scheduled,
      archived.length,
      made.media,
      notes.length,
      kept,
      losses.join(', ') || 'none',
    ]
    expect(guide.split('\n')).toContain(`| ${row.join(' | ')} |`)
  },
)
