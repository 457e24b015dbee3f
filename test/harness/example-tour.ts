import { operator } from '../../src/actions/caller.ts'
import type { Exchange } from '../../src/http/openapi/openapi-document.ts'
import { editProject } from '../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import type { ProblemCode } from '../../src/values/problems.ts'
import type { Answer, TestApp } from './harness.ts'
import { describeSite } from './site.ts'

export interface Tour {
  readonly operations: Record<string, Exchange>
  readonly problems: Record<string, unknown>
}

interface Step {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests everything once. The responses are the examples in the documentation. */
export async function takeExamples(verso: TestApp): Promise<Tour> {
  const tour: Tour = { operations: {}, problems: {} }
  const take = async (operation: string, method: string, path: string, step: Step = {}): Promise<Answer> => {
    const answer = await verso.request(method, path, step)
    const { body } = step
    const told = answer.body === undefined ? (answer.text === '' ? {} : { answer: answer.text }) : { answer: withoutToken(answer.body) }
    tour.operations[operation] = { path, ...(body !== undefined && { body }), status: answer.status, ...told }
    return answer
  }
  const fail = async (code: ProblemCode, method: string, path: string, step: Step = {}): Promise<void> => {
    tour.problems[code] = (await verso.request(method, path, step)).body
  }
  await administration(verso, take)
  await posts(verso, take)
  await media(take)
  await problems(verso, fail)
  await service(take)
  await webhooks(verso, take)
  await feeds(verso, take)
  return tour
}

type Take = (operation: string, method: string, path: string, step?: Step) => Promise<Answer>

async function administration(verso: TestApp, take: Take): Promise<void> {
  const key = await verso.keyWith('admin')
  const { body: author } = await take('createAuthor', 'POST', '/v1/admin/authors', {
    key,
    body: { name: 'Mira Holt', email: 'mira@example.com', bio: 'Sails, and writes about it.' },
  })
  await take('updateAuthor', 'PATCH', `/v1/admin/authors/${author.id}`, { key, body: { avatarUrl: 'https://cdn.example.com/mira.webp' } })
  await take('getAuthorAsAdmin', 'GET', `/v1/admin/authors/${author.id}`, { key })
  const { body: gone } = await verso.post('/v1/admin/authors', { name: 'M. Holt' }, { key })
  await take('listAuthorsAsAdmin', 'GET', '/v1/admin/authors', { key })
  await take('deleteAuthor', 'DELETE', `/v1/admin/authors/${gone.id}?reassign_to=${author.id}`, { key })
  await take('createCategory', 'POST', '/v1/admin/categories', { key, body: { name: 'Log book', description: 'Day by day.' } })
  await take('updateCategory', 'PATCH', '/v1/admin/categories/log-book', { key, body: { description: 'What happened, day by day.' } })
  await take('getCategoryAsAdmin', 'GET', '/v1/admin/categories/log-book', { key })
  await verso.post('/v1/admin/categories', { name: 'Notes' }, { key })
  await take('listCategoriesAsAdmin', 'GET', '/v1/admin/categories?sort=-post_count', { key })
  await take('deleteCategory', 'DELETE', '/v1/admin/categories/notes?reassign_to=log-book', { key })
  const { body: apiKey } = await take('createKey', 'POST', '/v1/admin/keys', { key, body: { name: 'Website', kind: 'public' } })
  await take('getKey', 'GET', `/v1/admin/keys/${apiKey.id}`, { key })
  const { body: newer } = await take('rotateKey', 'POST', `/v1/admin/keys/${apiKey.id}/rotate`, { key, body: { graceHours: 48 } })
  await take('listKeys', 'GET', '/v1/admin/keys?limit=2', { key })
  await take('getProjectSettings', 'GET', '/v1/admin/project', { key })
  await take('updateProject', 'PATCH', '/v1/admin/project', { key, body: { permalink: '/blog/{slug}' } })
  await take('revokeKey', 'DELETE', `/v1/admin/keys/${newer.id}`, { key })
  const { body: person } = await take('invitePerson', 'POST', '/v1/admin/people', { key, body: { name: 'Mira Holt', role: 'editor' } })
  await take('updatePerson', 'PATCH', `/v1/admin/people/${person.id}`, { key, body: { role: 'writer' } })
  await take('getPerson', 'GET', `/v1/admin/people/${person.id}`, { key })
  await take('listPeople', 'GET', '/v1/admin/people', { key })
  await take('createPersonLink', 'POST', `/v1/admin/people/${person.id}/link`, { key })
  await take('endSessions', 'DELETE', `/v1/admin/people/${person.id}/sessions`, { key })
  await take('removePerson', 'DELETE', `/v1/admin/people/${person.id}`, { key })
}

async function posts(verso: TestApp, take: Take): Promise<void> {
  const [author] = (await verso.get('/v1/authors')).body.data
  verso.context.travelTo('2026-06-02T07:30:00.000Z')
  // It names nothing that a new project lacks, so that it can be tried at once.
  await take('createPost', 'POST', '/v1/posts', {
    body: {
      title: 'Hello, harbour',
      content: '# Hello\n\nWe are **afloat**.',
      status: 'published',
      tags: ['Sailing', 'First steps'],
      aliases: ['/2019/03/hello/'],
    },
  })
  await verso.patch('/v1/posts/hello-harbour', { authorId: author.id, categoryId: 'log-book' })
  verso.context.travelTo('2026-06-03T18:00:00.000Z')
  await verso.post('/v1/posts', { title: 'To the lighthouse', content: 'Wind from the west.', status: 'published', tags: ['Sailing'] })
  await take('updatePost', 'PATCH', '/v1/posts/hello-harbour', { body: { excerpt: 'The first day on the water.', tags: ['Sailing'] } })
  await take('getPost', 'GET', '/v1/posts/hello-harbour')
  await take('listPosts', 'GET', '/v1/posts?tag=sailing&sort=-published_at&limit=1')
  await take('listRelatedPosts', 'GET', '/v1/posts/hello-harbour/related?limit=1')
  await take('listPostRevisions', 'GET', '/v1/posts/hello-harbour/revisions')
  await take('getPostRevision', 'GET', '/v1/posts/hello-harbour/revisions/1')
  await take('diffPostRevision', 'GET', '/v1/posts/hello-harbour/revisions/2/diff')
  const { body: draft } = await verso.post('/v1/posts', { title: 'Packing list', content: 'Rope\nLamp\n' })
  await verso.patch('/v1/posts/packing-list', { content: 'Nothing\n' })
  await take('restorePostRevision', 'POST', '/v1/posts/packing-list/revisions/1/restore')
  await take('batchPosts', 'POST', '/v1/posts/batch', {
    body: {
      operations: [
        { op: 'create', body: { title: 'Knots', tags: ['Sailing'] } },
        { op: 'update', id: 'packing-list', ifMatch: 3, body: { excerpt: 'What to take.' } },
        { op: 'delete', id: 'knots' },
      ],
    },
  })
  const pending = '/v1/posts/hello-harbour/pending'
  await take('savePendingEdit', 'PATCH', pending, { body: { title: 'Hello, new harbour', content: '# Hello\n\nWe have **moved**.' } })
  await take('getPendingEdit', 'GET', pending)
  await take('applyPendingEdit', 'POST', `${pending}/apply`, { body: {} })
  await verso.patch(pending, { excerpt: 'Never mind.' })
  await take('discardPendingEdit', 'DELETE', pending)
  await take('getPostVisibility', 'GET', '/v1/posts/packing-list/visibility')
  const previews = '/v1/posts/packing-list/preview-tokens'
  const { body: preview } = await take('createPreviewToken', 'POST', previews, { body: { name: 'Proofreading' } })
  await take('listPreviewTokens', 'GET', previews)
  await take('revokePreviewToken', 'DELETE', `${previews}/${preview.id}`)
  await take('deletePost', 'DELETE', '/v1/posts/packing-list')
  await take('restorePost', 'POST', `/v1/posts/${draft.id}/restore`, { body: {} })
  await take('listAuthors', 'GET', '/v1/authors', { key: verso.public })
  await take('getAuthor', 'GET', `/v1/authors/${author.id}`, { key: verso.public })
  await take('listCategories', 'GET', '/v1/categories')
  await take('getCategory', 'GET', '/v1/categories/log-book')
  await take('listTags', 'GET', '/v1/tags?sort=-post_count')
  await take('getTag', 'GET', '/v1/tags/sailing')
  await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/blog/{slug}' })
  await take('getProject', 'GET', '/v1/project', { key: verso.public })
  await take('getAsker', 'GET', '/v1/whoami')
  await take('listRedirects', 'GET', '/v1/redirects', { key: verso.public })
  const { body: walked } = await verso.get('/v1/changes')
  await verso.delete('/v1/posts/packing-list')
  await take('followChanges', 'GET', `/v1/changes?since=${walked.nextCursor}&wait=30`)
}

async function media(take: Take): Promise<void> {
  const { body: picture } = await take('registerMedia', 'POST', '/v1/media', {
    body: {
      url: 'https://cdn.example.com/harbour.webp',
      filename: 'harbour.webp',
      mimeType: 'image/webp',
      size: 48_213,
      width: 1_600,
      height: 900,
      alt: 'The harbour at dusk',
    },
  })
  const path = `/v1/media/${picture.id}`
  await take('updateMedia', 'PATCH', path, { body: { alt: 'The harbour at dusk, seen from the pier' } })
  await take('getMedia', 'GET', path)
  await take('listMedia', 'GET', '/v1/media?search=harbour')
  await take('deleteMedia', 'DELETE', path)
}

async function problems(
  verso: TestApp,
  fail: (code: ProblemCode, method: string, path: string, step?: Step) => Promise<void>,
): Promise<void> {
  const admin = await verso.keyWith('admin')
  const [author] = (await verso.get('/v1/authors')).body.data
  const picture = {
    url: 'https://cdn.example.com/a.tiff',
    filename: 'a.tiff',
    mimeType: 'image/tiff',
    size: 1,
    width: 1,
    height: 1,
    alt: '',
  }
  await fail('malformed_request', 'GET', '/v1/posts?search=100%')
  await fail('invalid_parameter', 'GET', '/v1/posts?limit=500&sort=publishedAt')
  await fail('unknown_parameter', 'GET', '/v1/posts?categorie=log-book')
  await fail('malformed_json', 'POST', '/v1/posts', { body: '{"title": ' })
  await fail('invalid_cursor', 'GET', '/v1/posts?cursor=2')
  await fail('unauthenticated', 'GET', '/v1/posts', { key: null })
  await fail('invalid_key', 'GET', '/v1/posts', { key: 'verso_pub_mistyped' })
  await fail('insufficient_scope', 'POST', '/v1/posts', { key: verso.public, body: { title: 'Hello' } })
  await fail('not_found', 'GET', '/v1/posts/packing-list', { key: verso.public })
  await fail('not_acceptable', 'GET', '/v1/posts', { headers: { accept: 'text/html' } })
  await fail('alias_conflict', 'POST', '/v1/posts', { body: { title: 'Hello again', aliases: ['/2019/03/hello/'] } })
  await fail('slug_conflict', 'POST', '/v1/posts', { body: { title: 'Hello again', slug: 'hello-harbour' } })
  await verso.patch('/v1/posts/to-the-lighthouse/pending', { title: 'Towards the lighthouse' })
  await verso.patch('/v1/posts/to-the-lighthouse', { title: 'The lighthouse' })
  await fail('pending_conflict', 'POST', '/v1/posts/to-the-lighthouse/pending/apply')
  await verso.delete('/v1/posts/to-the-lighthouse/pending')
  await fail('in_use', 'DELETE', `/v1/admin/authors/${author.id}`, { key: admin })
  await fail('stale_version', 'PATCH', '/v1/posts/hello-harbour', { headers: { 'if-match': '"1.x"' }, body: { excerpt: 'Day one.' } })
  const again = { headers: { 'idempotency-key': '7f3c' } }
  await verso.patch('/v1/posts/hello-harbour', { excerpt: 'The first day on the water.' }, again)
  await fail('idempotency_key_reused', 'PATCH', '/v1/posts/hello-harbour', { ...again, body: { excerpt: 'Another day.' } })
  await fail('body_too_large', 'POST', '/v1/posts', { body: `"${'a'.repeat(2 * 1024 * 1024)}"` })
  await fail('uri_too_long', 'GET', `/v1/posts?search=${'a'.repeat(8 * 1024)}`)
  await fail('unsupported_content_type', 'POST', '/v1/media', { headers: { 'content-type': 'image/png' }, body: 'PNG' })
  await fail('validation_failed', 'POST', '/v1/posts', { body: { titel: 'Hello', tags: 'news' } })
  await fail('unsupported_media_type', 'POST', '/v1/media', { body: picture })
}

async function service(take: Take): Promise<void> {
  await take('getHealth', 'GET', '/healthz', { key: null })
  await take('getReadiness', 'GET', '/readyz', { key: null })
}

async function webhooks(verso: TestApp, take: Take): Promise<void> {
  const key = await verso.keyWith('admin')
  const { body: webhook } = await take('createWebhook', 'POST', '/v1/admin/webhooks', {
    key,
    body: { url: 'https://example.com/hooks/verso', name: 'Website build', events: ['project.changed'] },
  })
  const path = `/v1/admin/webhooks/${webhook.id}`
  await take('updateWebhook', 'PATCH', path, { key, body: { events: ['post.*', 'project.changed'] } })
  await take('getWebhook', 'GET', path, { key })
  await take('listWebhooks', 'GET', '/v1/admin/webhooks', { key })
  const { body: delivery } = await take('testWebhook', 'POST', `${path}/test`, { key })
  await take('getDelivery', 'GET', `${path}/deliveries/${delivery.id}`, { key })
  await take('redeliver', 'POST', `${path}/deliveries/${delivery.id}/redeliver`, { key })
  await take('listDeliveries', 'GET', `${path}/deliveries?limit=1`, { key })
  await take('replayWebhook', 'POST', `${path}/replay`, { key, body: { since: 0 } })
  await take('rotateWebhookSecret', 'POST', `${path}/rotate-secret`, { key, body: { graceHours: 48 } })
  await take('deleteWebhook', 'DELETE', path, { key })
}

async function feeds({ app, context, projectId }: TestApp, take: Take): Promise<void> {
  const edits = {
    siteUrl: 'https://example.com',
    permalink: '/log/{slug}',
    feedContent: 'excerpt',
    feedUrl: 'https://example.com/feeds',
  } as const
  await app.installation.perform(editProject, operator(projectId, 'cli', toInstant(context.now())), { slug: 'default', edits })
  const operations = { getRssFeed: 'rss.xml', getAtomFeed: 'atom.xml', getJsonFeed: 'feed.json', getSitemap: 'sitemap.xml' }
  for (const [operation, file] of Object.entries(operations)) {
    await take(operation, 'GET', `/v1/feeds/default/${file}`, { key: null })
    await take(`${operation}Of`, 'GET', `/v1/feeds/default/tags/sailing/${file}`, { key: null })
  }
}

/** People and scanners would take a whole key or secret in a public file for a leak. */
function withoutToken(body: object): object {
  const shortened = (name: 'token' | 'secret') => {
    const text = (body as Readonly<Record<string, unknown>>)[name]
    return typeof text === 'string' ? { [name]: `${text.replace(/[^_]+$/, '')}…` } : {}
  }
  const link = 'link' in body && { link: 'https://content.example.com/studio/welcome#verso_link_…' }
  return { ...body, ...shortened('token'), ...shortened('secret'), ...link }
}
