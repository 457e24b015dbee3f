import { expect } from 'vitest'
import { type Scope, scopes } from '../src/actions/caller.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import type { Answer } from '../test/harness/harness.ts'
import { operations } from './access/operations.ts'
import { homePath } from './access/places.ts'
import { rowsOf, startProjectFixtures, type TwoProjectFixtures } from './access/project-fixtures.ts'
import { feedTable, isAboutRoles, neededBy, type PostWrite, postWrites, roleTable, type Table, withAll } from './access/scope-table.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  /** Of all keys and sessions, so many try each operation, and the key with the scope that it needs. */
  readonly keys: number
  /** Of the fifteen sets of the scopes for posts, so many are tried. */
  readonly sets: number
}

interface Findings {
  cells: number
  readonly wrong: string[]
}

trial<Size>({
  name: 'scopes-are-exact',
  promise: 'A key can do what its scopes say and nothing more.',
  over: 'engines',
  sizes: {
    test: { keys: 4, sets: 1 },
    short: { keys: Number.POSITIVE_INFINITY, sets: 2 },
    full: { keys: Number.POSITIVE_INFINITY, sets: 15 },
  },
  minutes: { short: 2, full: 5 },
  async run({ size, engine, random, figure }) {
    const fixtures = await startProjectFixtures(engine)
    const unknown = operations.map(({ method, path }) => `${method} ${path}`).filter((name) => neededBy(name) === undefined)
    if (unknown.length > 0) throw new Error(`trials/access/scope-table.ts does not know ${unknown}`)
    const findings: Findings = { cells: 0, wrong: [] }
    const before = await stateOf(fixtures, engine)
    await tryOperations(fixtures, { table: neededBy, keysFor: (all) => drawn(all, size.keys, random) }, findings)
    figure('changes by what was refused or tried', before === (await stateOf(fixtures, engine)) ? 0 : 1, { exactly: 0 })
    const first = random.int(sets.length - size.sets + 1)
    await tryPostWrites(fixtures, { writes: postWrites, sets: sets.slice(first, first + size.sets) }, findings)
    await trySights(fixtures, findings)
    expect(findings.wrong.slice(0, 20)).toEqual([])
    figure('operations allowed or refused against the table', findings.wrong.length, { exactly: 0 })
    figure('cells', findings.cells)
    figure('operations', operations.length)
  },
  controls: {
    async 'a table with one wrong scope is told from the program'({ engine }) {
      const findings: Findings = { cells: 0, wrong: [] }
      const table: Table = (name) => (name === 'GET /v1/tags' ? 'media:read' : neededBy(name))
      await tryOperations(await startProjectFixtures(engine), { table, keysFor: (all) => all }, findings)
      return findings.wrong.length
    },
    async 'a table without posts:publish is told from the program'({ engine }) {
      const findings: Findings = { cells: 0, wrong: [] }
      const writes = postWrites.map((write) => ({ ...write, needs: write.needs.filter((scope) => scope !== 'posts:publish') }))
      const few = writes.slice(0, 20).filter(({ path }) => path === '/v1/posts')
      await tryPostWrites(await startProjectFixtures(engine), { writes: few, sets: sets.slice(0, 3) }, findings)
      return findings.wrong.length
    },
  },
})

const stateOf = ({ verso, own }: TwoProjectFixtures, engine: TestEngine) => rowsOf(verso, engine, own.projectId)

/** Bodies that need one scope, where the example needs two. */
const bodies: Readonly<Record<string, (draft: string) => unknown>> = {
  '/v1/posts': () => ({ title: 'x' }),
  '/v1/posts/batch': (draft) => ({ operations: [{ op: 'update', id: draft, body: { excerpt: 'x' } }] }),
}

/** The name of a scope or role, that of its key or session, and the scopes that it has. */
type Asking = readonly [name: string, key: string, granted: readonly Scope[]]

const everyone: readonly Asking[] = [
  ...scopes.map((scope): Asking => [scope, scope, [scope]]),
  ...Object.entries(roleTable).map(([role, granted]): Asking => [role, `session of the ${role}`, granted]),
]

/** So many of all, one after the other from somewhere on. */
function drawn<T>(all: readonly T[], most: number, random: SeededRandom): readonly T[] {
  const first = random.int(all.length)
  return [...all.slice(first), ...all.slice(0, first)].slice(0, most)
}

interface Asked {
  readonly table: Table
  keysFor(all: readonly Asking[]): readonly Asking[]
}

/** Every operation with keys of single scopes and sessions of roles. What is allowed is tried without effect; what is not is refused in earnest. */
async function tryOperations({ verso, own }: TwoProjectFixtures, { table, keysFor }: Asked, findings: Findings): Promise<void> {
  const [published = '', , , draft = ''] = own.names.posts
  const trashed = own.names.posts.at(-1) ?? ''
  for (const operation of operations) {
    const { method, path, body } = operation
    const need = table(`${method} ${path}`)
    const isRestore = path === '/v1/posts/{id}/restore'
    const posts = path.endsWith('{tokenId}') ? own.names.posts : [method === 'GET' ? published : isRestore ? trashed : draft]
    const where = homePath(operation, { ...own.names, posts })
    const asking = new Set([...keysFor(everyone), ...everyone.filter(([scope]) => scope === need)])
    for (const [scope, key, granted] of asking) {
      const isAllowed = need === 'any' || (need !== undefined && withAll(granted).includes(need))
      // A post from the trash of published posts needs two scopes: `postWrites` has it.
      if (isRestore && isAllowed) continue
      const at = method === 'GET' || !isAllowed ? where : `${where}?dry_run=true`
      const sent = bodies[path] ? bodies[path](draft) : body
      const answer = await verso.request(method, at, {
        key: own.keys[key] ?? '',
        ...(method !== 'GET' && sent !== undefined && { body: sent }),
      })
      findings.cells++
      // Something in use is refused only to those who might delete it.
      const isRight = isAllowed
        ? answer.status < 400 || answer.body?.code === 'in_use'
        : isRefusal(answer, isAboutRoles(`${method} ${path}`) ? scopes : [need ?? 'admin'])
      if (!isRight) findings.wrong.push(`${method} ${at} with ${scope}, needs ${need}: ${answer.status} ${answer.text.slice(0, 300)}`)
    }
  }
}

/** Whether a request was refused for want of one of these scopes. */
/** Who may not even propose is told of `posts:write`. */
function isRefusal({ status, headers, body }: Answer, missing: readonly Scope[]): boolean {
  const nameable = missing.map((scope) => (scope === 'posts:propose' ? 'posts:write' : scope))
  const named = /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  return status === 403 && body.code === 'insufficient_scope' && body.scope === named && nameable.includes(body.scope)
}

const partial = ['posts:read_drafts', 'posts:write', 'posts:publish', 'posts:delete'] as const satisfies readonly Scope[]

/** Every set of these but the empty one. */
const sets: readonly (readonly Scope[])[] = Array.from({ length: 2 ** partial.length - 1 }, (_, i) =>
  partial.filter((_, bit) => (i + 1) & (1 << bit)),
)

interface Tried {
  readonly writes: readonly PostWrite[]
  readonly sets: readonly (readonly Scope[])[]
}

/** Every write of a post with each set of the scopes for posts. */
async function tryPostWrites({ verso }: TwoProjectFixtures, { writes, sets }: Tried, findings: Findings): Promise<void> {
  const refs = await postsInEveryState(verso)
  for (const granted of sets) {
    const key = await verso.keyWith(...granted)
    for (const { method, path, body, needs } of writes) {
      const fill = (text: string) => text.replaceAll(/\{([a-z ]+)\}/g, (all, name: string) => refs.get(name) ?? all)
      const sent = body === undefined ? {} : { body: fill(JSON.stringify(body)) }
      const at = `${fill(path)}${path.includes('?') ? '&' : '?'}dry_run=true`
      const answer = await verso.request(method, at, { key, ...sent })
      findings.cells++
      const missing = needs.filter((scope) => !withAll(granted).includes(scope))
      const isRight = missing.length === 0 ? answer.status < 300 : isRefusal(answer, missing)
      if (!isRight)
        findings.wrong.push(
          `${method} ${path} ${JSON.stringify(body)} with ${granted}, needs ${needs}: ${answer.status} ${answer.text.slice(0, 300)}`,
        )
    }
  }
}

/** The ids of a post in every state, in the trash and out of it. */
async function postsInEveryState({ post, delete: remove }: TwoProjectFixtures['verso']): Promise<ReadonlyMap<string, string>> {
  const refs = new Map<string, string>()
  for (const status of ['draft', 'published', 'scheduled', 'archived']) {
    for (const where of ['', 'trashed ']) {
      const { body } = await post('/v1/posts', {
        title: status,
        status,
        ...(status === 'scheduled' && { scheduledFor: '2030-01-01T00:00:00Z' }),
      })
      if (where) await remove(`/v1/posts/${body.id}`)
      refs.set(`${where}${status}`, body.id)
    }
  }
  return refs
}

/** What reads show with each scope. */
async function trySights({ verso, own }: TwoProjectFixtures, findings: Findings): Promise<void> {
  const expecting = (what: string, isRight: boolean, { status, text }: Answer) => {
    findings.cells++
    if (!isRight) findings.wrong.push(`${what}: ${status} ${text.slice(0, 300)}`)
  }
  for (const scope of scopes) {
    const all = withAll([scope])
    const key = { key: own.keys[scope] ?? '' }
    if (all.includes('posts:read')) {
      const seesDrafts = all.includes('posts:read_drafts')
      for (const query of ['status=draft', 'status=published,archived', 'trashed=true']) {
        const answer = await verso.get(`/v1/posts?${query}`, key)
        expecting(`${query} with ${scope}`, seesDrafts ? answer.status === 200 : isRefusal(answer, ['posts:read_drafts']), answer)
      }
      const { total } = (await verso.get('/v1/posts?limit=100', key)).body.pagination
      const published = await verso.get('/v1/posts?limit=100&status=published', key)
      expecting(`every status with ${scope}`, seesDrafts === total > published.body.pagination.total, published)
    }
    if (all.includes('authors:read')) {
      const authors = await verso.get('/v1/authors', key)
      expecting(`e-mail with ${scope}`, (authors.body.data[0].email !== null) === all.includes('authors:read_email'), authors)
    }
  }
  const admin = { key: await verso.keyWith('admin', 'media:write') }
  await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
  await verso.post('/v1/admin/categories', { name: 'News' }, admin)
  await verso.post('/v1/media', picture, admin)
  const { body: post } = await verso.post('/v1/posts', { title: 'Published', status: 'published' })
  await verso.patch(`/v1/posts/${post.id}/pending`, { title: 'Edited' })
  for (const [scope, types] of Object.entries(feedTable)) {
    const feed = await verso.get('/v1/changes?limit=100', { key: await verso.keyWith('changes:read', scope as Scope) })
    const seen = new Set(feed.body.data.map(({ type }: { readonly type: string }) => type))
    expecting(`the feed with ${scope}`, JSON.stringify([...seen].sort()) === JSON.stringify(types), feed)
  }
}

const picture = { url: 'https://a.example/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
