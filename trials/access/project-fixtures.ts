import { sql } from 'kysely'
import { operator, type Scope, scopes } from '../../src/actions/caller.ts'
import { roles } from '../../src/resources/people/person.ts'
import { editProject } from '../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import { newToken } from '../../src/values/token.ts'
import { catalogues } from '../../test/harness/catalogue.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import { makeProject, seededRandom, startVerso, type TestApp, testContext } from '../../test/harness/harness.ts'
import { signedIn } from '../../test/harness/studio-browser.ts'
import { openWire, type Wire } from './wire.ts'

/** What a place in a request can name. */
export type RefKind =
  | 'posts'
  | 'authors'
  | 'categories'
  | 'tags'
  | 'media'
  | 'keys'
  | 'webhooks'
  | 'preview-tokens'
  | 'deliveries'
  | 'people'
  | TextKind
type TextKind = 'categorySlug' | 'tagSlug' | 'slug' | 'tagName' | 'words' | 'cursor' | 'since' | 'previewToken' | 'etag'

/** The names of one project's things, by kind; of posts in every state. */
export type Names = Readonly<Record<RefKind, readonly string[]>>

/** A project with one of everything. */
export interface ProjectFixture {
  readonly projectId: string
  /** In every text of the project, and in no other. */
  readonly mark: string
  readonly names: Names
  /** The tokens of keys, by what is special about them. */
  readonly keys: Readonly<Record<string, string>>
}

export interface TwoProjectFixtures {
  readonly verso: TestApp
  readonly wire: Wire
  readonly own: ProjectFixture
  readonly other: ProjectFixture
  /** From now on, the same random values come again. */
  reseed(seed: string): void
  /** Every line of the log since the last call. */
  takeLog(): string
}

const start = '2026-06-01T12:00:00.000Z'
/** After the expiry of the keys that expire. */
const later = '2026-06-03T12:00:00.000Z'
const picture = { mimeType: 'image/png', size: 1, width: 1, height: 1 }

/** The body of a write that the other project makes with the idempotency key `k`. */
export const repeatedBody = { title: 'Repeated' }

/** Two projects of one installation, with the same kinds of things. */
export async function startProjectFixtures(engine: TestEngine): Promise<TwoProjectFixtures> {
  let random = seededRandom('fixtures')
  const lines: string[] = []
  const context = testContext(start, (bytes) => random(bytes))
  const verso = await startVerso(engine, { context, env: { VERSO_TRUST_PROXY: 'true' }, onLog: (line) => lines.push(line) })
  const own = await makeProjectFixture(verso, 'own', 'quokka')
  const other = await makeProjectFixture(verso, 'other', 'wombat')
  context.travelTo(later)
  return {
    verso,
    wire: openWire(verso.app.url),
    own: { ...own, keys: { ...own.keys, ...(await signInAll(verso, own)) } },
    other: { ...other, keys: { ...other.keys, ...(await signInAll(verso, other)) } },
    reseed: (seed) => {
      random = seededRandom(seed)
    },
    takeLog: () => lines.splice(0).join(''),
  }
}

async function makeProjectFixture({ app, context }: TestApp, slug: string, mark: string): Promise<ProjectFixture> {
  const project = await makeProject(app, context, slug)
  const site = { siteUrl: `https://${mark}.example`, permalink: '/{slug}' }
  const now = toInstant(context.now())
  await app.installation.perform(editProject, operator(project.projectId, 'cli', now), { slug, edits: site })
  const all = { key: await project.keyWith(...scopes) }
  const make = async (path: string, body: unknown = {}) => {
    const { status, body: made, text } = await project.post(path, body, all)
    if (status !== 201) throw new Error(`${path}: ${text}`)
    return made
  }
  const author = await make('/v1/admin/authors', { name: `${mark} author`, email: `${mark}@a.example`, bio: mark })
  const category = await make('/v1/admin/categories', { name: `${mark} category`, description: mark })
  const media = await make('/v1/media', { ...picture, url: `https://${mark}.example/a.png`, filename: `${mark}.png`, alt: mark })
  const fields = { content: `${mark} content`, excerpt: mark, tags: [`${mark} tag`], authorId: author.id, categoryId: category.id }
  const post = (name: string, more: object) => make('/v1/posts', { title: `${mark} ${name}`, ...fields, ...more })
  const published = await post('published', { status: 'published', aliases: [`/${mark}/alias`] })
  const moved = (await project.patch(`/v1/posts/${published.id}`, { slug: `${mark}-moved` }, all)).body
  const draft = await post('draft', {})
  const archived = await post('archived', { status: 'archived' })
  const scheduled = await post('scheduled', { status: 'scheduled', scheduledFor: '2030-01-01T00:00:00Z' })
  const trashed = await post('trashed', { status: 'published' })
  await project.delete(`/v1/posts/${trashed.id}`, all)
  await make('/v1/posts', { title: 'Shared', slug: slug === 'own' ? 'shared' : 'shared-2' })
  if (slug === 'other') await project.post('/v1/posts', repeatedBody, { ...all, headers: { 'idempotency-key': 'k' } })
  if (slug === 'other') await make('/v1/posts', { title: 'Shared, too' })
  const preview = await make(`/v1/posts/${published.id}/preview-tokens`)
  const draftPreview = await make(`/v1/posts/${draft.id}/preview-tokens`)
  for (const { id } of [published, draft])
    await project.patch(`/v1/posts/${id}/pending`, { title: `${mark} pending`, content: `${mark} pending`, tags: [`${mark} pending`] }, all)
  const webhook = await make('/v1/admin/webhooks', { url: `https://${mark}.example/hook`, name: mark })
  const delivery = await make(`/v1/admin/webhooks/${webhook.id}/test`)
  const key = await make('/v1/admin/keys', { name: `${mark} key`, kind: 'secret' })
  const person = await make('/v1/admin/people', { name: `${mark} person`, role: 'writer' })
  const list = await project.get('/v1/posts?limit=1&sort=title', all)
  const changes = await project.get('/v1/changes?limit=1', all)
  const tag = (await project.get('/v1/tags', all)).body.data[0]
  return {
    projectId: project.projectId,
    mark,
    names: {
      posts: [published.id, moved.slug, published.slug, draft.id, draft.slug, archived.id, scheduled.slug, trashed.id],
      authors: [author.id, author.slug],
      categories: [category.id, category.slug],
      tags: [tag.id, tag.slug],
      media: [media.id],
      keys: [key.id],
      webhooks: [webhook.id],
      'preview-tokens': [preview.id],
      deliveries: [delivery.id],
      people: [person.id],
      categorySlug: [category.slug],
      tagSlug: [tag.slug],
      slug: [moved.slug, published.slug, draft.slug, `${mark}-trashed`],
      tagName: [`${mark} tag`],
      words: [mark],
      cursor: [list.body.pagination.nextCursor],
      since: [changes.body.nextCursor],
      previewToken: [preview.token, draftPreview.token],
      etag: [list.headers.get('etag') ?? '', (await project.get(`/v1/posts/${moved.slug}`, all)).headers.get('etag') ?? ''],
    },
    keys: { all: all.key, ...(await keysOf(project, make)) },
  }
}

/** Session tokens of a person of each role. They live for a quarter of an hour. */
async function signInAll(verso: TestApp, { projectId, mark }: ProjectFixture): Promise<Readonly<Record<string, string>>> {
  const tokens: [string, string][] = []
  for (const role of roles) {
    const { token } = await signedIn({ ...verso, projectId: projectId as TestApp['projectId'] }, `${mark} ${role}`, role)
    tokens.push([`session of the ${role}`, token])
  }
  return Object.fromEntries(tokens)
}

type Project = Awaited<ReturnType<typeof makeProject>>

async function keysOf(project: Project, make: (path: string, body: unknown) => Promise<{ readonly id: string; readonly token: string }>) {
  const only: [Scope, string][] = []
  for (const scope of scopes) only.push([scope, await project.keyWith(scope)])
  const key = (more: object) => make('/v1/admin/keys', { name: 'k', kind: 'secret', ...more })
  const revoked = await key({})
  const rotated = await key({})
  const rotatedAtOnce = await key({})
  const admin = { key: await project.keyWith('admin') }
  // They are known before they end.
  for (const { token } of [revoked, rotatedAtOnce]) await project.get('/v1/posts', { key: token })
  await project.delete(`/v1/admin/keys/${revoked.id}`, admin)
  return {
    ...Object.fromEntries(only),
    secret: project.secret,
    public: project.public,
    'public with media': await project.publicKeyWith('posts:read', 'media:read', 'changes:read', 'authors:read'),
    expired: (await key({ expiresAt: '2026-06-02T12:00:00Z' })).token,
    revoked: revoked.token,
    rotated: (await make(`/v1/admin/keys/${rotated.id}/rotate`, { graceHours: 720 })).token,
    'old, in its grace period': rotated.token,
    'successor of one that ended': (await make(`/v1/admin/keys/${rotatedAtOnce.id}/rotate`, { graceHours: 0 })).token,
    'old, after its grace period': rotatedAtOnce.token,
  }
}

/** Names of the same form and length that nothing has. */
export function absentLike(names: Names): Names {
  return Object.fromEntries(
    Object.entries(names).map(([kind, all]) => [kind, all.map((name) => absent(kind as RefKind, name))]),
  ) as unknown as Names
}

function absent(kind: RefKind, name: string): string {
  if (kind === 'previewToken') return newToken('verso_preview_', seededRandom(name))
  if (kind === 'cursor')
    return recoded(name, (values) => values.map((value) => (String(value).includes('_') ? nobody(String(value)) : value)))
  if (kind === 'since') return recoded(name, ([, ...values]) => ['zzzzzzzz', ...values])
  if (kind === 'etag') return name.replaceAll(/[A-Za-z]/g, 'z')
  return nobody(name)
}

const nobody = (name: string) => (/^[a-z]+_\w{26}$/.test(name) ? `${name.slice(0, -6)}zzzzzz` : name.replaceAll(/[a-z0-9]/g, 'z'))

function recoded(cursor: string, change: (values: readonly unknown[]) => readonly unknown[]): string {
  return Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString())))).toString('base64url')
}

/** Every row of a project in every table, as text. */
export async function rowsOf({ app }: TestApp, engine: TestEngine, projectId: string): Promise<string> {
  const { db } = app.installation
  const tables = (await catalogues[engine.name]?.(db)) ?? []
  const parts: string[] = []
  for (const { name, columns } of tables) {
    const column = columns.some((each) => each.name === 'project_id') ? 'project_id' : name === 'projects' ? 'id' : undefined
    if (column === undefined) continue
    const { rows } = await sql`select * from ${sql.table(name)} where ${sql.ref(column)} = ${projectId}`.execute(db)
    parts.push(
      `${name}\n${rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n')}`,
    )
  }
  return parts.join('\n\n')
}

/** What of a project occurs in a text: its mark, its ids, its tokens. */
export function tracesOf({ mark, names, projectId, keys }: ProjectFixture, text: string): readonly string[] {
  const all = [mark, projectId, ...Object.values(names).flat(), ...Object.values(keys)]
  return all.filter((trace) => trace !== '' && text.includes(trace))
}
