import type { TestEngine } from '../../test/harness/databases.ts'
import { type Answer, makeProject } from '../../test/harness/harness.ts'
import { startReceiver, startWithWebhooks } from '../../test/resources/webhooks/receiver.ts'
import type { Findings } from './matrix.ts'
import { repeatedBody, rowsOf, type TwoProjectFixtures, tracesOf } from './project-fixtures.ts'

/** A write that every project may make, and what the other project must not change about its answer. */
type Expected = readonly [what: string, isAsAlone: boolean, answer: Answer]

/** Writes that name what the other project has too: they go as if there were no other, and leave nothing of it behind. */
export async function ordinaryWrites(fixtures: TwoProjectFixtures, engine: TestEngine, findings: Findings): Promise<void> {
  const { verso, own, other } = fixtures
  const slug = other.names.slug[0] ?? ''
  const tag = other.names.tagName[0] ?? ''
  const repeated = { headers: { 'idempotency-key': 'k' } }
  const ask = (
    method: string,
    path: string,
    body: unknown,
    more: { readonly key?: string; readonly headers?: Record<string, string> } = {},
  ) => verso.request(method, path, { key: own.keys.all ?? '', body, ...more })
  const asked: Expected[] = []
  const expecting = (what: string, answer: Answer, isAsAlone: (answer: Answer) => boolean) => asked.push([what, isAsAlone(answer), answer])
  expecting('a slug that the other project has', await ask('POST', '/v1/posts', { title: 'x', slug }), ({ body }) => body.slug === slug)
  expecting('a title that makes it', await ask('POST', '/v1/posts', { title: 'Shared, too' }), ({ body }) => body.slug === 'shared-too')
  const taken = await ask('POST', '/v1/posts', { title: 'x', slug: 'shared' })
  expecting('a suggestion that the other project has', taken, ({ status, body }) => status === 409 && body.suggestion === 'shared-2')
  const aliases = [`/${other.mark}/alias`, '/free']
  const aliased = await ask('POST', '/v1/posts', { title: 'Aliased', aliases })
  expecting('an alias that the other project has', aliased, ({ status }) => status === 201)
  expecting('its tag', await ask('POST', '/v1/posts', { title: 'Tagged', tags: [tag] }), ({ status }) => status === 201)
  const named = await verso.get('/v1/tags', { key: own.keys.all ?? '' })
  expecting('its tag counted', named, ({ body }) => body.data.find((each: { name: string }) => each.name === tag)?.postCount === 1)
  const category = await ask('POST', '/v1/admin/categories', { name: `${other.mark} category` })
  expecting('its category', category, ({ body }) => body.slug === other.names.categorySlug[0])
  for (const key of [own.keys.all ?? '', own.keys.secret ?? '']) {
    const answer = await ask('POST', '/v1/posts', repeatedBody, { key, ...repeated })
    expecting('its idempotency key', answer, ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'))
  }
  const again = await ask('POST', '/v1/posts', repeatedBody, repeated)
  expecting('its own idempotency key', again, ({ headers }) => headers.get('idempotency-replayed') === 'true')
  findings.cells += asked.length
  for (const [what, isAsAlone, { status, text }] of asked)
    if (!isAsAlone) findings.crossings.push(`a write with ${what}: ${status} ${text}`)
  // Words may be alike; ids and tokens are not.
  const left = tracesOf(other, await rowsOf(verso, engine, own.projectId)).filter((trace) => trace.includes('_'))
  if (left.length > 0) findings.crossings.push(`rows of one project have ${left} of the other`)
}

/** What webhooks of one project hear when something is written in another. */
export async function webhooksHear(engine: TestEngine, findings: Findings): Promise<void> {
  const verso = await startWithWebhooks(engine)
  const [mine, theirs] = [await startReceiver(), await startReceiver()]
  const other = await makeProject(verso.app, verso.context, 'other')
  await verso.webhook(mine.url)
  await other.post('/v1/admin/webhooks', { url: theirs.url }, { key: await other.keyWith('admin') })
  const { body: post } = await other.post('/v1/posts', { title: 'Theirs', status: 'published' })
  await other.patch(`/v1/posts/${post.id}`, { title: 'Still theirs' })
  await verso.dispatch()
  await verso.post('/v1/posts', { title: 'Mine' })
  await verso.dispatch()
  findings.cells += 3
  for (const { text } of mine.received)
    if (text.includes(post.id) || text.includes('heirs')) findings.crossings.push(`a webhook heard ${text}`)
  if (mine.received.length === 0 || theirs.received.length === 0) findings.crossings.push('a webhook did not hear of its own project')
}
