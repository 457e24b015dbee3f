import { dirname } from 'node:path/posix'
import type { Source } from './sources.ts'

/** The floors of the house, top to bottom: a file imports only from its own floor and from those below. */
export const floors = [
  'cli',
  'app',
  'mcp',
  'import',
  'maintenance',
  'resources',
  'http',
  'search',
  'lists',
  'actions',
  'database',
  'context.ts',
  'values',
]

/** A law of the house. */
export interface Law {
  readonly name: string
  /** What breaks it, one line each. */
  broken(sources: readonly Source[]): readonly string[]
  /** Small sets of files that break it, so that a test can show that the law sees each. */
  readonly breaches: readonly (readonly Planted[])[]
}

interface Planted {
  readonly path: string
  readonly text: string
}

const topOf = (path: string) => path.split('/')[0] ?? ''
const isFile = (name: string) => /\.(ts|json)$/.test(name)
const endsIn = (path: string, ...endings: readonly string[]) => endings.some((ending) => path.endsWith(ending))
const isUnder = (path: string, ...folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`))
const isHttp = (path: string) => isUnder(path, 'http') || endsIn(path, '-routes.ts')
const isSql = (path: string) => isUnder(path, 'database', 'lists', 'search') || endsIn(path, '-store.ts')

/** Rules, shapes of values and plans: pure functions that know no edge of the program. */
function pureAmong(sources: readonly Source[]): (path: string) => boolean {
  const paths = new Set(sources.map(({ path }) => path))
  const isRule = (path: string) => roles.some((role) => paths.has(path.replace(/\.ts$/, `-${role}.ts`)))
  return (path) => isUnder(path, 'values') || others.includes(path) || (isUnder(path, 'resources') && path !== feedKinds && isRule(path))
}

/** A rule file is named like the files beside it, without a role: `post.ts` beside `post-store.ts`. */
const roles = ['schema', 'store', 'actions', 'routes']
/** The one that names `Db`: it declares how the changes feed reads each kind of resource. */
const feedKinds = 'resources/changes/feed.ts'
/** Pure files that stand alone. */
const others = [
  'actions/caller.ts',
  'actions/change-log/change.ts',
  'lists/list-plan.ts',
  'lists/list-spec.ts',
  'resources/projects/keys/api-key.ts',
  'resources/webhooks/dispatch/retry-schedule.ts',
  'resources/webhooks/dispatch/signature.ts',
]

/** Files of this kind that import something of that kind. */
function imports(sources: readonly Source[], from: (path: string) => boolean, to: (name: string, path: string) => boolean) {
  return sources
    .filter(({ path }) => from(path))
    .flatMap(({ path, imports: names }) => names.filter((name) => to(name, path)).map((name) => `${path} → ${name}`))
}

function filesWith(sources: readonly Source[], pattern: RegExp, except: (path: string) => boolean = () => false): readonly string[] {
  return sources.filter(({ path, text }) => !except(path) && pattern.test(text)).map(({ path }) => path)
}

const isAboveOrUnknown = (name: string, path: string) => {
  const [to, from] = [floors.indexOf(topOf(name)), floors.indexOf(topOf(path))]
  return isFile(name) && (from < 0 || (topOf(name) !== topOf(path) && to <= from))
}

/** `references/` changes posts when their author or category is deleted: both import it. `site/` says where posts are: all that link to them import it. */
const resourceOf = (path: string) => (isUnder(path, 'resources') ? path.split('/')[1] : undefined)
const isAnotherResource = (name: string, path: string) => {
  const [to, from] = [resourceOf(name), resourceOf(path)]
  return to !== undefined && to !== from && to !== 'references' && to !== 'site'
}

const drivers: Readonly<Record<string, string>> = {
  'better-sqlite3': 'database/sqlite/',
  pg: 'database/postgres/',
}

export const laws: readonly Law[] = [
  {
    name: '1. the domain knows no HTTP and no SQL',
    broken: (sources) =>
      imports(
        sources,
        pureAmong(sources),
        (name) =>
          ['fastify', 'kysely'].includes(name) ||
          endsIn(name, '-store.ts', '-actions.ts', '-routes.ts') ||
          isUnder(name, 'http', 'database'),
      ),
    breaches: [
      [
        { path: 'resources/people/person.ts', text: "import { sql } from 'kysely'\n" },
        { path: 'resources/people/person-store.ts', text: '' },
      ],
      [{ path: 'lists/list-plan.ts', text: "import type { Db } from '../database/engine.ts'\n" }],
      [{ path: 'values/ids.ts', text: "import { server } from '../http/server.ts'\n" }],
    ],
  },
  {
    name: '2. SQL stays in stores, lists, search and database',
    broken: (sources) =>
      imports(
        sources,
        (path) => !isSql(path),
        (name) => name === 'kysely',
      ),
    breaches: [[{ path: 'resources/posts/post-actions.ts', text: "import { sql } from 'kysely'\n" }]],
  },
  {
    name: '2. HTTP stays in routes and http',
    broken: (sources) =>
      imports(
        sources,
        (path) => !isHttp(path) && !isUnder(path, 'app'),
        (name) => name === 'fastify' || isUnder(name, 'http'),
      ),
    breaches: [[{ path: 'resources/posts/post-actions.ts', text: "import { queryOf } from '../../http/request/query.ts'\n" }]],
  },
  {
    name: '3. one file per engine knows its driver',
    broken: (sources) => {
      const knowing = (driver: string) =>
        imports(
          sources,
          () => true,
          (name) => name === driver,
        )
      return Object.entries(drivers).flatMap(([driver, room]) => [
        ...knowing(driver).slice(1),
        ...knowing(driver).filter((line) => !line.startsWith(room)),
      ])
    },
    breaches: [[{ path: 'lists/cursor.ts', text: "import pg from 'pg'\n" }]],
  },
  {
    name: '4. a room imports only from floors below it',
    broken: (sources) => imports(sources, () => true, isAboveOrUnknown),
    breaches: [
      [{ path: 'database/engine.ts', text: "import type { Action } from '../actions/action.ts'\n" }],
      [{ path: 'attic/box.ts', text: "import { newId } from '../values/ids.ts'\n" }],
    ],
  },
  {
    name: '4. no resource imports another',
    broken: (sources) =>
      imports(
        sources,
        () => true,
        (name, path) => resourceOf(path) !== undefined && isAnotherResource(name, path),
      ),
    breaches: [[{ path: 'resources/tags/tag-store.ts', text: "import { Post } from '../posts/post.ts'\n" }]],
  },
  {
    name: '4. an import knows no file format: its sources do, in folders of their own',
    broken: (sources) =>
      imports(
        sources,
        (path) => /^import\/[^/]+$/.test(path),
        (name) => /^import\/[^/]+\//.test(name) || ['yaml', 'smol-toml'].includes(name),
      ),
    breaches: [[{ path: 'import/run-import.ts', text: "import { openFolder } from './markdown/read-folder.ts'\n" }]],
  },
  {
    name: '5. nobody casts a handle that reads into one that writes',
    broken: (sources) => filesWith(sources, /\bas Tx\b/, (path) => /^database\/(sqlite|postgres)\/\w+-engine\.ts$/.test(path)),
    breaches: [[{ path: 'resources/posts/post-store.ts', text: 'const tx = db as Tx\n' }]],
  },
  {
    name: '6. the environment only in config.ts, the clock only through the context, the console only in cli/',
    broken: (sources) => [
      ...filesWith(sources, /process\.env\b/, (path) => path === 'app/config.ts'),
      ...filesWith(sources, /\bDate\.now\(|\bnew Date\(\)|performance\.now\(/, (path) => path === 'context.ts'),
      ...filesWith(sources, /\bconsole\.|\bprocess\.(stdout|stderr|exit)\b/, (path) => isUnder(path, 'cli')),
    ],
    breaches: [
      [{ path: 'http/server.ts', text: 'const port = process.env.PORT\n' }],
      [{ path: 'lists/cursor.ts', text: 'const now = Date.now()\n' }],
      [{ path: 'actions/action.ts', text: "console.log('here')\n" }],
    ],
  },
  {
    name: '6. no module has state',
    broken: (sources) => filesWith(sources, /^(?:export )?let /m),
    breaches: [[{ path: 'values/ids.ts', text: 'let last = 0\n' }]],
  },
  {
    name: '7. no cycles',
    broken: (sources) => cycleIn(new Map(sources.map(({ path, imports: names }) => [path, names.filter((name) => name.endsWith('.ts'))]))),
    breaches: [
      [
        { path: 'values/a.ts', text: "import { b } from './b.ts'\n" },
        { path: 'values/b.ts', text: "import { a } from './a.ts'\n" },
      ],
    ],
  },
  {
    name: '7. at most 13 entries at the top, 15 files in a folder',
    broken: (sources) => [
      ...crowded(
        sources.map(({ path }) => topOf(path)),
        () => 'src',
        13,
      ),
      ...crowded(
        sources.map(({ path }) => path),
        dirname,
        15,
      ),
    ],
    breaches: [Array.from({ length: 16 }, (_, i) => ({ path: `values/value-${i}.ts`, text: '' }))],
  },
  {
    name: '7. no two files of one name',
    broken: (sources) =>
      crowded(
        sources.map(({ path }) => path),
        (path) => path.split('/').at(-1) ?? '',
        1,
      ),
    breaches: [
      [
        { path: 'lists/cursor.ts', text: '' },
        { path: 'http/cursor.ts', text: '' },
      ],
    ],
  },
  {
    name: '7. no rooms without an owner, no barrel files, no default exports',
    broken: (sources) => [
      ...sources.map(({ path }) => path).filter((path) => /(^|\/)(utils?|helpers?|common|shared|misc|index)(\/|\.ts$)/.test(path)),
      ...filesWith(sources, /^export default\b|^export \* from/m),
    ],
    breaches: [[{ path: 'http/utils.ts', text: '' }], [{ path: 'values/ids.ts', text: 'export default 1\n' }]],
  },
  {
    name: '7. a migration imports nothing but Kysely and the dialect of the schema',
    broken: (sources) =>
      imports(
        sources,
        (path) => isUnder(path, 'database/migrations'),
        (name) => !['kysely', 'database/schema-dialect.ts'].includes(name) && !isUnder(name, 'database/migrations'),
      ),
    breaches: [
      [{ path: 'database/migrations/0002-words.ts', text: "import { reindex } from '../../search/reindex.ts'\n" }],
      [{ path: 'database/migrations/0002-words.ts', text: "import { fold } from 'somewhere'\n" }],
    ],
  },
  {
    name: '8. app/ is imported by cli/ and test/ only',
    broken: (sources) =>
      imports(
        sources,
        (path) => !isUnder(path, 'cli', 'app'),
        (name) => isUnder(name, 'app'),
      ),
    breaches: [[{ path: 'import/run-import.ts', text: "import type { Installation } from '../app/installation.ts'\n" }]],
  },
  {
    name: 'no file is longer than 300 lines',
    broken: (sources) => sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path),
    breaches: [[{ path: 'lists/cursor.ts', text: '\n'.repeat(301) }]],
  },
  {
    name: 'no loose types',
    broken: (sources) => filesWith(sources, /: any\b|\bas any\b|@ts-ignore|@ts-expect-error|<any>/),
    breaches: [[{ path: 'lists/cursor.ts', text: 'const value: any = 1\n' }]],
  },
]

/** The groups that have more different members than they may. */
function crowded(all: readonly string[], groupOf: (member: string) => string, most: number): readonly string[] {
  const groups = new Map<string, Set<string>>()
  for (const member of all) groups.set(groupOf(member), (groups.get(groupOf(member)) ?? new Set()).add(member))
  return [...groups].filter(([, members]) => members.size > most).map(([group, members]) => `${group}: ${[...members].join(', ')}`)
}

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
