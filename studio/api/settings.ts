import { serviceUrl } from './address.ts'
import type { Role } from './session.ts'
import {
  type ApiKey,
  type Delivery,
  everyItem,
  type Person,
  type PersonPatch,
  type Post,
  type ProjectApi,
  type ProjectPatch,
  type ProjectSettings,
  type Webhook,
} from './verso.ts'

export function readSettings({ verso }: ProjectApi, signal: AbortSignal): Promise<ProjectSettings> {
  return verso.request('GET /v1/admin/project', {}, { signal })
}

export function changeSettings({ verso }: ProjectApi, body: ProjectPatch): Promise<ProjectSettings> {
  return verso.request('PATCH /v1/admin/project', { body })
}

/** Where everybody can read the posts, once the project has a site URL. */
export function feedUrls({ slug }: ProjectSettings): readonly { readonly name: string; readonly url: string }[] {
  const files = { RSS: 'rss.xml', Atom: 'atom.xml', 'JSON Feed': 'feed.json', Sitemap: 'sitemap.xml' }
  return Object.entries(files).map(([name, file]) => ({ name, url: new URL(`v1/feeds/${slug}/${file}`, serviceUrl).href }))
}

type Linked = Pick<Post, 'id' | 'slug' | 'publishedAt' | 'createdAt' | 'category'>

/** The post that was published last, as an example of an address. */
export async function exampleOfPost({ verso }: ProjectApi, signal: AbortSignal): Promise<Linked | undefined> {
  const fields = ['slug', 'publishedAt', 'createdAt', 'category'] as const
  return (await verso.posts.list({ limit: 1, total: false, fields, sort: '-published_at' }, { signal })).data[0]
}

export const placeholders = ['slug', 'id', 'year', 'month', 'day', 'category'] as const

/** The address of a post by these settings, as Verso makes it; none where they do not give every post its own. */
export function addressOf(siteUrl: string, permalink: string, post: Linked | undefined): string | undefined {
  const { id = 'post_1', slug = 'hello-world', publishedAt, createdAt, category } = post ?? {}
  const [year = '', month = '', day = ''] = (publishedAt ?? createdAt ?? new Date().toISOString()).slice(0, 10).split('-')
  const values: Readonly<Record<string, string>> = { slug, id, year, month, day, category: category?.slug ?? '' }
  if (!/^\/(?!\/)/.test(permalink) || !/\{(?:slug|id)\}/.test(permalink)) return undefined
  const path = permalink.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  if (/[{}]/.test(path)) return undefined
  return siteUrl.replace(/\/$/, '') + (category ? path : path.replace(/\/{2,}/g, '/'))
}

/** What keys are usually for. What is made without scopes gets those of its kind. */
export const accesses = {
  public: { kind: 'public' },
  read: { kind: 'secret', scopes: ['posts:read_drafts', 'authors:read', 'media:read', 'changes:read'] },
  propose: { kind: 'secret', scopes: ['posts:propose', 'authors:read', 'media:read'] },
  write: { kind: 'secret' },
  admin: {
    kind: 'secret',
    scopes: ['posts:write', 'posts:publish', 'posts:delete', 'authors:read_email', 'media:write', 'changes:read', 'admin'],
  },
} as const satisfies Readonly<Record<string, { readonly kind: ApiKey['kind']; readonly scopes?: ApiKey['scopes'] }>>
export type Access = keyof typeof accesses

/** Newest first. */
export function listKeys({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly ApiKey[]> {
  return everyItem(verso.pages('GET /v1/admin/keys', { limit: 100, total: false }, { signal }))
}

/** The token of a new key. */
export async function createKey({ verso }: ProjectApi, name: string, access: Access, expiresAt: string | null): Promise<string> {
  const key = await verso.request('POST /v1/admin/keys', { body: { name, ...accesses[access], expiresAt } })
  return 'token' in key ? key.token : ''
}

export async function revokeKey({ verso }: ProjectApi, id: string): Promise<void> {
  await verso.request('DELETE /v1/admin/keys/{id}', { id })
}

export const roles = ['writer', 'editor', 'owner'] as const satisfies readonly Role[]

export function listPeople({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly Person[]> {
  return everyItem(verso.pages('GET /v1/admin/people', { limit: 100, total: false }, { signal }))
}

/** The one-time link of somebody new. */
export async function invitePerson({ verso }: ProjectApi, name: string, role: Role): Promise<string> {
  const person = await verso.request('POST /v1/admin/people', { body: { name, role } })
  return 'link' in person ? person.link : ''
}

/** A new one-time link. */
export async function renewLink({ verso }: ProjectApi, { id }: Person): Promise<string> {
  const person = await verso.request('POST /v1/admin/people/{id}/link', { id })
  return 'link' in person ? person.link : ''
}

export function changePerson({ verso }: ProjectApi, { id }: Person, body: PersonPatch): Promise<Person> {
  return verso.request('PATCH /v1/admin/people/{id}', { id, body })
}

export async function removePerson({ verso }: ProjectApi, { id }: Person): Promise<void> {
  await verso.request('DELETE /v1/admin/people/{id}', { id })
}

export async function signOutEverywhere({ verso }: ProjectApi, { id }: Person): Promise<void> {
  await verso.request('DELETE /v1/admin/people/{id}/sessions', { id })
}

export const eventGroups = ['*', 'post.*', 'author.*', 'category.*', 'media.*', 'project.changed'] as const satisfies Webhook['events']
export type Events = Webhook['events']

export function listWebhooks({ verso }: ProjectApi, signal: AbortSignal): Promise<readonly Webhook[]> {
  return everyItem(verso.pages('GET /v1/admin/webhooks', { limit: 100, total: false }, { signal }))
}

export function readWebhook({ verso }: ProjectApi, id: string, signal: AbortSignal): Promise<Webhook> {
  return verso.request('GET /v1/admin/webhooks/{id}', { id }, { signal })
}

interface WebhookEdits {
  readonly url?: string
  readonly name?: string
  readonly events?: Events
  readonly enabled?: boolean
}

/** The secret that signs what is sent to a new webhook. */
export async function createWebhook(
  { verso }: ProjectApi,
  { url, events, name }: WebhookEdits & { readonly url: string },
): Promise<string> {
  const made = await verso.request('POST /v1/admin/webhooks', { body: { url, ...(events && { events }), ...(name && { name }) } })
  return 'secret' in made ? made.secret : ''
}

export function changeWebhook({ verso }: ProjectApi, id: string, body: WebhookEdits): Promise<Webhook> {
  return verso.request('PATCH /v1/admin/webhooks/{id}', { id, body })
}

export async function deleteWebhook({ verso }: ProjectApi, id: string): Promise<void> {
  await verso.request('DELETE /v1/admin/webhooks/{id}', { id })
}

/** Sends a test event, even to a webhook that is disabled. */
export async function testWebhook({ verso }: ProjectApi, id: string): Promise<void> {
  await verso.request('POST /v1/admin/webhooks/{id}/test', { id })
}

export async function listDeliveries(
  { verso }: ProjectApi,
  id: string,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
) {
  const query = { id, limit: 50, total: false, ...(cursor && { cursor }) } as const
  const { data, pagination } = await verso.request('GET /v1/admin/webhooks/{id}/deliveries', query, { signal })
  return { items: data, next: pagination.nextCursor ?? undefined }
}

export async function redeliver({ verso }: ProjectApi, id: string, { id: deliveryId }: Delivery): Promise<void> {
  await verso.request('POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', { id, deliveryId })
}
