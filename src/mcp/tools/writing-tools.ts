import Type from 'typebox'
import { mimeTypes } from '../../resources/media/media.ts'
import type { PendingEdit } from '../../resources/posts/pending/pending-edit-schema.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import type { Agent } from '../agent.ts'
import { ask, pathOf, Refusal } from '../api.ts'
import { applyEdits } from '../posts/edits.ts'
import { findWorkingPost, requireRead, versionOf, type WorkingPost } from '../posts/working-post.ts'
import { diffOf, named, registeredVersion, unchangedAnswer, writtenAnswer } from '../posts/write-answer.ts'
import { argsOf, postArg, said, tool, versionArg } from './tool.ts'

const tags = Type.Array(Type.String({ maxLength: 80 }), { maxItems: 50, description: 'Names; replaces all tags' })
const line = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description !== undefined && { description }) }))

const seo = Type.Object(
  { title: line(300), description: line(1_000), canonicalUrl: line(2_048), ogImage: line(2_048) },
  { additionalProperties: false },
)

const fields = {
  excerpt: line(1_000),
  tags: Type.Optional(tags),
  category: line(100, 'Id or slug'),
  author: line(64, 'Id'),
  seo: Type.Optional(seo),
}

interface Fields {
  readonly excerpt?: string
  readonly category?: string
  readonly author?: string
  readonly seo?: Readonly<Record<string, string>>
}

/** The fields as `/v1` takes them: an empty text empties. */
function bodyWith({ excerpt, category, author, seo, ...rest }: Fields): Readonly<Record<string, unknown>> {
  const filled = (text: string) => (text === '' ? null : text)
  return {
    ...rest,
    ...(excerpt !== undefined && { excerpt: filled(excerpt) }),
    ...(category !== undefined && { categoryId: filled(category) }),
    ...(author !== undefined && { authorId: filled(author) }),
    ...(seo && { seo: Object.fromEntries(Object.entries(seo).map(([name, text]) => [name, filled(text)])) }),
  }
}

export const draftPost = tool({
  name: 'draft_post',
  description: 'Makes a new draft. It is not published.',
  scopes: ['posts:propose'],
  writes: true,
  args: argsOf({ title: said('', { minLength: 1, maxLength: 300 }), content: Type.Optional(said('Markdown')), ...fields }),
  async run(agent, asked) {
    const post = await ask<Post>(agent.api, 'POST', '/v1/posts', { body: bodyWith(asked) })
    const answer = {
      id: post.id,
      done: `Made the draft ${named(post)}.`,
      version: versionOf(post),
      diff: await diffOf(undefined, { ...post, content: '' }),
    }
    return writtenAnswer(agent, answer)
  },
})

export const editPost = tool({
  name: 'edit_post',
  description:
    'Replaces exact texts in a post. Each old text must occur exactly once. Published and scheduled posts stay as they are: the edit waits as a pending edit.',
  scopes: ['posts:propose'],
  writes: true,
  args: argsOf({
    post: postArg,
    version: versionArg,
    edits: Type.Array(Type.Object({ old: Type.String(), new: Type.String() }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 50,
    }),
  }),
  async run(agent, { post, version, edits }) {
    const working = await findWorkingPost(agent, post)
    requireRead(working, version)
    const edited = await applyEdits(working.latest.content, edits)
    if ('faults' in edited) throw new Refusal([...edited.faults.slice(0, 20), 'Nothing was changed.'].join('\n'))
    return save(agent, working, { content: edited.text })
  },
})

export const setFields = tool({
  name: 'set_fields',
  description:
    'Sets title, excerpt, tags, category, author and SEO of a post; an empty text empties. Like edits, these wait where the post is published.',
  scopes: ['posts:propose'],
  writes: true,
  args: argsOf({ post: postArg, version: versionArg, title: Type.Optional(said('', { minLength: 1, maxLength: 300 })), ...fields }),
  async run(agent, { post, version, ...asked }) {
    const working = await findWorkingPost(agent, post)
    requireRead(working, version)
    const body = bodyWith(asked)
    if (Object.keys(body).length === 0) throw new Refusal('Name at least one field. Nothing was changed.')
    return save(agent, working, body)
  },
})

/** Saves a change of a draft in the draft, and any other as the pending edit. */
async function save(agent: Agent, working: WorkingPost, body: object): Promise<string> {
  const { post, pending, latest } = working
  const isDraft = post.status === 'draft' || post.status === 'archived'
  const isPending = pending !== undefined || !isDraft || !agent.scopes.includes('posts:write')
  const after = isPending
    ? await savePending(agent, working, body)
    : await ask<Post>(agent.api, 'PATCH', pathOf('posts', post.id), { body, ifMatch: post.version })
  if (!after) return unchangedAnswer(post, working.version)
  const version = isPending ? versionOf(post, after) : versionOf(after)
  if (version === working.version) return unchangedAnswer(post, version)
  const where = isPending ? 'Saved as the pending edit of' : 'Changed'
  const rest = isPending
    ? ` ${post.status === 'published' ? 'Readers see no change' : 'The post itself stays as it is'} until it is applied${after.scheduledFor === null ? '' : ` at ${after.scheduledFor}`}.`
    : ''
  return writtenAnswer(agent, { id: post.id, done: `${where} ${named(latest)}.${rest}`, version, diff: await diffOf(latest, after) })
}

/** Saves a change in the pending edit. Makes none for what is no change: an edit of nothing would wait for a person. */
async function savePending({ api }: Agent, { post, pending }: WorkingPost, body: object): Promise<PendingEdit | undefined> {
  const path = pathOf('posts', post.id, '/pending')
  if (pending) return ask<PendingEdit>(api, 'PATCH', path, { body, ifMatch: pending.version })
  const made = { body: { ...body, basedOn: post.version }, onlyNew: true }
  const { changed } = await ask<PendingEdit>(api, 'PATCH', path, { ...made, query: { dry_run: 'true' } })
  return changed.length === 0 ? undefined : ask<PendingEdit>(api, 'PATCH', path, made)
}

export const registerMedia = tool({
  name: 'register_media',
  description: 'Registers a picture by its URL, so that it has an alternative text. No file is sent.',
  scopes: ['media:write'],
  writes: true,
  args: argsOf({
    url: said('http or https', { maxLength: 2_048 }),
    filename: said('', { maxLength: 255 }),
    mimeType: Type.Unsafe<(typeof mimeTypes)[number]>({ type: 'string', enum: mimeTypes }),
    alt: said('What the picture shows', { maxLength: 2_000 }),
    width: Type.Optional(Type.Integer({ minimum: 0 })),
    height: Type.Optional(Type.Integer({ minimum: 0 })),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes' })),
  }),
  async run(agent, { width = 0, height = 0, size = 0, ...rest }) {
    const body = { ...rest, width, height, size }
    const { id, url } = await ask<{ readonly id: string; readonly url: string }>(agent.api, 'POST', '/v1/media', { body })
    return writtenAnswer(agent, {
      id,
      done: `Registered ${id} for ${JSON.stringify(url)}.`,
      version: registeredVersion(agent.actor, id),
      diff: '',
    })
  },
})
