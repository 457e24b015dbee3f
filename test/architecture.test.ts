import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The laws of the house (docs/architecture.md), each held against every file of src/. */
const root = resolve(import.meta.dirname, '../src')
const slices = ['posts', 'authors', 'categories', 'tags', 'media', 'previews', 'projects', 'webhooks', 'feeds', 'transfer']

interface Source {
  /** Under src/. */
  readonly path: string
  readonly text: string
  /** What it imports: a path under src/, or the name of a package. */
  readonly imports: readonly string[]
}

const sources: readonly Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const named = [...text.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gms)]
    const imports = named.map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    return {
      path,
      text,
      imports: imports.map((name) =>
        name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/') : name,
      ),
    }
  })

const sliceOf = (path: string) => slices.find((slice) => path.startsWith(`${slice}/`))
const isNamed = (path: string, ...endings: readonly string[]) => endings.some((ending) => path.endsWith(ending))
const isHttp = (path: string) => path.startsWith('http/') || isNamed(path, '-routes.ts', '-operations.ts')
const isSql = (path: string) => path.startsWith('database/') || path.startsWith('listing/') || isNamed(path, '-store.ts')
/** Files whose path has this form, importing something of that form. */
const offenders = (from: (path: string) => boolean, to: (name: string) => boolean) =>
  sources.filter(({ path }) => from(path)).flatMap(({ path, imports }) => imports.filter(to).map((name) => `${path} → ${name}`))
const filesWith = (pattern: RegExp, except: (path: string) => boolean = () => false) =>
  sources.filter(({ path, text }) => !except(path) && pattern.test(text)).map(({ path }) => path)

describe('the house', () => {
  it('was looked at: files, slices and imports are found', () => {
    expect(sources.length).toBeGreaterThan(80)
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(300)
    expect(sources.find(({ path }) => path === 'all-routes.ts')?.imports).toContain('posts/post-routes.ts')
    expect(sources.find(({ path }) => path === 'database/sqlite.ts')?.imports).toContain('better-sqlite3')
    expect(
      offenders(
        (path) => path === 'posts/post-store.ts',
        (name) => name === 'kysely',
      ),
    ).toHaveLength(1)
  })

  it('1. the domain knows no HTTP and no SQL', () => {
    const domain = [
      'posts/post.ts',
      'posts/post-dates.ts',
      'authors/author.ts',
      'categories/category.ts',
      'tags/tag.ts',
      'media/media.ts',
      'previews/preview.ts',
      'projects/api-key.ts',
    ]
    const pure = [
      ...domain,
      'projects/project.ts',
      'listing/list-plan.ts',
      'listing/list-spec.ts',
      'problems.ts',
      'ids.ts',
      'instant.ts',
      'caller.ts',
    ]
    expect(pure.filter((path) => sources.some((source) => source.path === path)).length).toBeGreaterThan(8)
    const outside = (name: string) =>
      ['fastify', 'kysely'].includes(name) || isNamed(name, '-store.ts', '-actions.ts', '-routes.ts') || name.startsWith('http/')
    expect(offenders((path) => pure.includes(path) || path.startsWith('text/'), outside)).toEqual([])
  })

  it('2. SQL stays in stores, listing and database; HTTP in routes and http', () => {
    expect(
      offenders(
        (path) => !isSql(path),
        (name) => name === 'kysely',
      ),
    ).toEqual([])
    expect(
      offenders(
        (path) => !isHttp(path) && path !== 'app.ts' && path !== 'core.ts',
        (name) => name === 'fastify' || name.startsWith('http/'),
      ),
    ).toEqual([])
  })

  it('2. an action gets a caller, never a request', () => {
    expect(
      offenders(
        (path) => !path.startsWith('http/') && isNamed(path, '-actions.ts', '-write.ts'),
        (name) => name === 'fastify' || name.startsWith('http/'),
      ),
    ).toEqual([])
  })

  it('3. one file per engine knows its driver', () => {
    const drivers = ['better-sqlite3', 'pg']
    for (const driver of drivers)
      expect(
        offenders(
          () => true,
          (name) => name === driver,
        ).length,
      ).toBeLessThanOrEqual(1)
    expect(
      offenders(
        (path) => !path.startsWith('database/'),
        (name) => drivers.includes(name),
      ),
    ).toEqual([])
  })

  it('4. a slice imports no other slice', () => {
    expect(
      offenders(
        (path) => sliceOf(path) !== undefined && sliceOf(path) !== 'transfer',
        (name) => sliceOf(name) !== undefined,
      ).filter((line) => sliceOf(line) !== sliceOf(line.split(' → ')[1] ?? '')),
    ).toEqual([])
  })

  it('5. a store that only reads takes Db, and nobody casts one handle into the other', () => {
    expect(filesWith(/\bas Tx\b/, (path) => path === 'database/sqlite.ts' || path === 'database/postgres.ts')).toEqual([])
  })

  it('6. the environment only in config.ts, the clock only through the context, the console only in cli/', () => {
    expect(filesWith(/process\.env\b/, (path) => path === 'config.ts')).toEqual([])
    expect(filesWith(/\bDate\.now\(|\bnew Date\(\)|performance\.now\(/, (path) => path === 'context.ts')).toEqual([])
    expect(filesWith(/\bconsole\./, (path) => path.startsWith('cli/'))).toEqual([])
    expect(filesWith(/\bprocess\.(stdout|stderr|exit)\b/, (path) => path.startsWith('cli/'))).toEqual([])
  })

  it('6. no module has state', () => {
    expect(filesWith(/^(?:export )?let /m)).toEqual([])
  })

  it('7. no cycles', () => {
    const edges = new Map(sources.map(({ path, imports }) => [path, imports.filter((name) => name.endsWith('.ts'))]))
    expect(cycleIn(edges)).toEqual([])
    expect(
      cycleIn(
        new Map([
          ['a.ts', ['b.ts']],
          ['b.ts', ['a.ts']],
        ]),
      ),
    ).toEqual(['a.ts', 'b.ts', 'a.ts'])
  })

  it('7. no rooms without an owner, no barrel files, no default exports', () => {
    expect(
      sources.map(({ path }) => path).filter((path) => /(^|\/)(utils?|helpers?|common|shared|misc|index)(\/|\.ts$)/.test(path)),
    ).toEqual([])
    expect(filesWith(/^export default\b|^export \* from/m)).toEqual([])
  })

  it('8. app.ts is imported by cli/ and test/ only', () => {
    expect(
      offenders(
        (path) => !path.startsWith('cli/'),
        (name) => name === 'app.ts',
      ),
    ).toEqual([])
    expect(
      offenders(
        (path) => path.startsWith('cli/'),
        (name) => name === 'app.ts',
      ).length,
    ).toBeGreaterThan(0)
  })

  it('no file is longer than 300 lines, tables of data aside', () => {
    const data = ['text/case-folding.ts', 'text/transliteration.ts', 'problems.ts']
    expect(sources.filter(({ path, text }) => !data.includes(path) && text.split('\n').length > 300).map(({ path }) => path)).toEqual([])
  })

  it('no loose types', () => {
    expect(filesWith(/: any\b|\bas any\b|@ts-ignore|@ts-expect-error|<any>/)).toEqual([])
  })
})

/** The first cycle found, as a path that ends where it begins. */
function cycleIn(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of edges.get(path) ?? []) {
      const cycle = walk(next, [...trail, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  for (const path of edges.keys()) {
    const cycle = walk(path, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
