import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseAddress } from '../../../src/app/config.ts'
import { openEngine } from '../../../src/app/installation.ts'
import { placeOf } from '../../../src/cli/database-side.ts'
import type { Engine } from '../../../src/database/engine.ts'
import type { Tables } from '../../../src/database/tables.ts'
import { type Move, type Moved, moveInstallation } from '../../../src/maintenance/move/move.ts'
import { movedTables } from '../../../src/maintenance/move/moved-tables.ts'
import { sealingKeys, sealSecret } from '../../../src/resources/webhooks/sealed-secret.ts'
import { unobserved } from '../../../src/values/observations.ts'
import { type Answer, type Requests, type TestApp, testContext, testSecret } from '../../harness/harness.ts'

interface MoveOptions {
  readonly source?: (engine: Engine) => Engine
  readonly target?: (engine: Engine) => Engine
  readonly watch?: Partial<Move['watch']>
}

/** `verso move` within the test, over engines that a test may break, and with a watch of its own. */
export async function moveFrom(from: DatabaseAddress, to: DatabaseAddress, options: MoveOptions = {}): Promise<Moved> {
  const { source = (engine) => engine, target = (engine) => engine, watch } = options
  const quiet = { begins: () => undefined, reached: () => undefined, isStopped: () => false, failed: () => undefined }
  return withEngine(from, (here) =>
    withEngine(to, (there) =>
      moveInstallation({
        source: { engine: source(here), place: placeOf(from) },
        target: { engine: target(there), place: placeOf(to) },
        context: testContext(),
        watch: { ...quiet, ...watch },
      }),
    ),
  )
}

export async function withEngine<T>(address: DatabaseAddress, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(address, testContext(), unobserved)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** An engine on which something fails: the so-manieth transaction of those that a move makes. */
export function failingAt(turn: number): (engine: Engine) => Engine {
  let turns = 0
  return (engine) => ({
    ...engine,
    alone: (work) => (++turns === turn ? Promise.reject(new Error('the disk is gone')) : engine.alone(work)),
  })
}

/** Every row of every table, and of the installation what has to stay the same. */
export async function everyRow(address: DatabaseAddress): Promise<Readonly<Record<string, unknown>>> {
  return withEngine(address, async ({ db }) => {
    const found: Record<string, unknown> = {}
    for (const table of movedTables) found[table] = sorted(await db.selectFrom(table).selectAll().execute())
    found.installation = await db.selectFrom('installation').select(['epoch', 'created_at']).execute()
    return found
  })
}

function sorted(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
}

/** The standing of an installation, as it is kept. */
export async function stateOf(address: DatabaseAddress): Promise<Tables['installation']['state'] | undefined> {
  return withEngine(address, async ({ db }) => (await db.selectFrom('installation').select('state').executeTakeFirst())?.state)
}

const oddTexts = [
  'plain',
  'Ünïcödé: straße, ΌΣΟΣ, ı İ, ﬁ, ñ n\u0303',
  '日本語 العربية עברית ไทย 한국어',
  '👩‍👩‍👧‍👦 🏳️‍🌈 \u{10ffff} \ufffe \uffff \u{1f600}',
  'quotes \' " ` \\ \\\\ \\n $1 ? :a @b %s {}',
  'spaces\u00a0\u2003\u200b\u2028\u2029\u0001\u001f\u007f\u0085 \r\n\t end',
  '‮right to left‬ \ufeff',
]

/** Content of every kind: odd texts, nulls, statuses, trash, old slugs, revisions, keys, media, sources, another project. */
export async function fillWithOddities(verso: TestApp): Promise<void> {
  const admin = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'posts:delete', 'media:write', 'authors:read_email')
  const asAdmin = { key: admin }
  const authors = await made(oddTexts.map((text, i) => verso.post('/v1/admin/authors', { name: text, bio: i % 2 ? text : null }, asAdmin)))
  const categories = await made(
    oddTexts.map((text) => verso.post('/v1/admin/categories', { name: `C ${text}`, description: text }, asAdmin)),
  )
  for (const [i, text] of oddTexts.entries()) {
    const seo = i % 2 === 0 ? { title: text, description: text } : undefined
    const [draft, , scheduled, archived] = await made([
      verso.post('/v1/posts', {
        title: text,
        content: text.repeat(50),
        tags: [text, `tag ${i}`],
        aliases: [`/old/${i}?p=é`],
        ...(seo && { seo }),
      }),
      verso.post('/v1/posts', { title: text, status: 'published', authorId: authors[i]?.id, excerpt: text }),
      verso.post('/v1/posts', { title: `later ${i}`, status: 'scheduled', scheduledFor: `2027-01-0${i + 1}T00:00:00Z` }),
      verso.post('/v1/posts', { title: `archived ${i}`, status: 'archived', categoryId: categories[i]?.id }),
    ])
    await made([
      verso.patch(`/v1/posts/${draft.id}`, { title: `${text} again`, content: 'changed', tags: ['only'] }),
      verso.patch(`/v1/posts/${scheduled.id}`, { status: 'published', slug: `first-slug-${i}` }),
    ])
    await made([verso.patch(`/v1/posts/${scheduled.id}`, { slug: `second-slug-${i}` }), verso.delete(`/v1/posts/${archived.id}`)])
    const asset = { url: `https://example.com/${i}.png`, filename: `${text.replaceAll('/', '')}.png`, mimeType: 'image/png', alt: text }
    await made([
      verso.patch(`/v1/posts/${scheduled.id}/pending`, { title: `${text} soon`, content: text, tags: [text], seo: { title: text } }),
    ])
    await made([verso.post('/v1/media', { ...asset, size: 2 ** 40 + i, width: 1, height: 2 })])
  }
  const [gone, large] = await made([
    verso.post('/v1/posts', { title: 'erased' }),
    verso.post('/v1/posts', { title: 'large', content: large1MiB }),
  ])
  await made([verso.post('/v1/posts', { title: 'repeatable' }, { headers: { 'idempotency-key': 'a "key"' } })])
  await made([verso.delete(`/v1/posts/${gone.id}?permanent=true`), verso.delete(`/v1/posts/${large.id}`)])
  const elsewhere = await verso.otherProject('elsewhere')
  await made([elsewhere.post('/v1/posts', { title: 'plain', status: 'published' })])
  await made([verso.post('/v1/posts', { title: 'once' }, { headers: { 'idempotency-key': 'once' } })])
  await fillEmptyTables(verso, large.id)
}

const large1MiB = 'é'.repeat(512 * 1024)

/** Rows for every table that is empty yet, so that there is none that is not moved. All texts of such a row are one, so that rows find each other. */
async function fillEmptyTables({ app, projectId }: TestApp, postId: string): Promise<void> {
  const { engine } = app.installation
  const catalogue = await engine.migrate((schema) => schema.introspection.getTables())
  // A service does not start over secrets of webhooks that its key does not open.
  const secret = sealSecret(sealingKeys([testSecret.VERSO_SECRET]), { projectId, webhookId: 'whk_any' }, 'whsec_any', randomBytes)
  const known: Readonly<Record<string, string>> = { project_id: projectId, post_id: postId, secret, old_secret: secret }
  for (const table of movedTables) {
    if ((await engine.db.selectFrom(table).select(sql.lit(1).as('one')).limit(1).execute()).length > 0) continue
    const columns = catalogue.find(({ name }) => name === table)?.columns ?? []
    const rows = oddTexts.map((text, i) =>
      Object.fromEntries(columns.map(({ name, dataType }) => [name, known[name] ?? (/int/i.test(dataType) ? i : text)])),
    )
    await engine.write((tx) =>
      tx
        .insertInto(table)
        .values(rows as never)
        .execute(),
    )
  }
}

async function made(answers: readonly Promise<Answer>[]) {
  const all = await Promise.all(answers)
  for (const { status, text } of all) if (status >= 300) throw new Error(`${status} ${text}`)
  return all.map(({ body }) => body)
}

/** Every list in several orders and pages, and every post: path, status, headers that clients keep, and the bytes. */
export async function everyAnswer(api: Requests, keys: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = []
  const headers = { 'x-request-id': 'the-same' }
  for (const key of keys) {
    for (const path of lists) {
      for (let next: string | undefined = path; next !== undefined; ) {
        const answer = await api.get(next, { key, headers })
        seen.push(shown(next, answer))
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      }
    }
    const posts = (await api.get('/v1/posts?limit=100&fields=slug', { key })).body.data
    const refs = posts.flatMap(({ id, slug }: { id: string; slug: string }) => [id, slug])
    for (const ref of [...refs, 'first-slug-0', 'erased']) seen.push(shown(ref, await api.get(`/v1/posts/${ref}`, { key, headers })))
  }
  return seen
}

const lists = [
  '/v1/posts',
  '/v1/posts?sort=title&limit=3',
  '/v1/posts?sort=-updated_at,slug&limit=7&fields=title,tags',
  '/v1/posts?status=draft,scheduled',
  '/v1/posts?trashed=true',
  '/v1/posts?tag=only&search=AGAIN',
  '/v1/posts?search=STRASSE',
  '/v1/posts?q=strasse',
  '/v1/posts?q=a&sort=title',
  '/v1/authors?limit=2',
  '/v1/categories?sort=-post_count',
  '/v1/tags?sort=post_count&limit=4',
  '/v1/media?limit=3',
  '/v1/media?search=UNICODE',
]

/** All of an answer that a client keeps. */
export function shown(path: string, { status, headers, text }: Answer): string {
  return [path, status, headers.get('etag'), headers.get('link'), headers.get('location'), headers.get('cache-control'), text].join('\n')
}
