import type { Static } from 'typebox'
import Type from 'typebox'
import type { Post, PostList } from '../../resources/posts/post-schema.ts'
import type { PostDiff, PostRevision } from '../../resources/posts/revisions/post-revision-schema.ts'
import { isSlug } from '../../values/slug.ts'
import { type Agent, budgetOf } from '../agent.ts'
import { ask, findByRef, pathOf } from '../api.ts'
import { clipped, fenced, listed, quoted, startOf } from '../data-text.ts'
import { linkFaults } from '../posts/link-faults.ts'
import { picturesIn } from '../posts/links.ts'
import { findWorkingPost } from '../posts/working-post.ts'
import { inStudio } from '../posts/write-answer.ts'
import { argsOf, cursorArg, maxTokensArg, postArg, tool } from './tool.ts'

interface Revisions {
  readonly data: readonly PostRevision[]
  readonly pagination: { readonly nextCursor: string | null }
}

export const history = tool({
  name: 'history',
  description: 'Lists who changed what in a post, the latest first; with compare, what one version changed.',
  scopes: ['posts:read_drafts'],
  args: argsOf({
    post: postArg,
    compare: Type.Optional(Type.Integer({ minimum: 1, description: 'A version, compared with the one before' })),
    cursor: cursorArg,
    max_tokens: maxTokensArg,
  }),
  async run({ api }, { post: ref, compare, cursor, max_tokens }) {
    const most = budgetOf(max_tokens)
    // Revisions are not redirected from slugs that the post had before.
    const post = isSlug(ref) ? (await findByRef<Post>(api, 'posts', ref)).id : ref
    if (compare !== undefined) return comparison(await ask<PostDiff>(api, 'GET', pathOf('posts', post, `/revisions/${compare}/diff`)), most)
    const query = { limit: Math.max(1, Math.min(20, Math.floor(most / 400))), cursor, total: 'false' }
    const { data, pagination } = await ask<Revisions>(api, 'GET', pathOf('posts', post, '/revisions'), { query })
    const lines = data.map(({ version, createdAt, actor, actorName, client, changed }) => {
      const by = [actor, ...(actorName === null ? [] : [quoted(actorName, 80)]), ...(client === null ? [] : [`with ${quoted(client, 80)}`])]
      return startOf(`- v${version} ${createdAt} by ${by.join(' ')}: ${changed.join(', ') || 'made'}`, 380)
    })
    const more = pagination.nextCursor === null ? '' : `\nMore: call history with cursor ${quoted(pagination.nextCursor, 8_192)}.`
    return `${lines.join('\n')}${more}`
  },
})

/** What an answer has beside the diff. */
const frame = 300

function comparison({ id, version, against, fields, content }: PostDiff, most: number): string {
  const value = (given: unknown) => clipped(JSON.stringify(given ?? null), 300)
  const lines = fields.map(({ field, before, after }) => `- ${field}: ${value(before)} → ${value(after)}`)
  const head = startOf(`${id}: v${version}${against === null ? '' : ` compared with v${against}`}\n${lines.join('\n')}`, most / 2)
  if (!content) return `${head}\nThe text is the same.`
  const room = most - head.length - frame
  const cut = content.diff.length > room ? '\nThe diff is cut: ask for more tokens.' : ''
  return `${head}\n+${content.added} −${content.removed} lines\n${fenced('diff', clipped(content.diff, room))}${cut}`
}

const [longestTitle, shortestDescription, longestDescription] = [60, 50, 160]

export const checkPost = tool({
  name: 'check_post',
  description: 'Checks a post before it is published: links to other posts, alternative texts, SEO lengths, titles used twice.',
  scopes: ['posts:read'],
  args: argsOf({ post: postArg, max_tokens: maxTokensArg }),
  async run(agent, { post: ref, max_tokens }) {
    const { post, latest, version } = await findWorkingPost(agent, ref)
    const title = latest.seo.title ?? latest.title
    const description = latest.seo.description ?? latest.excerpt ?? ''
    const bare = picturesIn(latest.content).filter(({ alt }) => alt.trim() === '')
    const found = [
      ...(title.length > longestTitle ? [`The title for search engines has ${title.length} characters, more than ${longestTitle}.`] : []),
      ...(description === '' ? ['It has neither an SEO description nor an excerpt.'] : []),
      ...(description !== '' && (description.length < shortestDescription || description.length > longestDescription)
        ? [`The description has ${description.length} characters; ${shortestDescription} to ${longestDescription} are usual.`]
        : []),
      ...(latest.content.trim() === '' ? ['It has no text.'] : []),
      ...(latest.tags.length === 0 ? ['It has no tags.'] : []),
      ...bare.map(({ url }) => `A picture has no alternative text: ${quoted(url, 200)}.`),
      ...(await linkFaults(agent, latest.content)),
      ...(await twins(agent, post.id, latest.title)),
    ]
    if (found.length === 0) return `${post.id}, version: ${version}: nothing found.`
    return `${post.id}, version: ${version}:\n${listed(
      found.map((line) => `- ${line}`),
      budgetOf(max_tokens) - 200,
    )}`
  },
})

async function twins({ api }: Agent, id: string, title: string): Promise<readonly string[]> {
  const query = { search: startOf(title, 200), fields: 'title', limit: 20, total: 'false' }
  const { data } = await ask<Static<typeof PostList>>(api, 'GET', '/v1/posts', { query })
  const same = data.filter((other) => other.id !== id && other.title?.trim().toLowerCase() === title.trim().toLowerCase())
  return same.map((other) => `Another post has the same title: ${other.id}.`)
}

export const previewLink = tool({
  name: 'preview_link',
  description: 'Makes a link with which anyone can read the present state of one post for seven days. Give it to people alone.',
  scopes: ['posts:write'],
  writes: true,
  args: argsOf({ post: postArg }),
  async run(agent, { post: ref }) {
    const { api } = agent
    const post = await findByRef<Post>(api, 'posts', ref)
    const path = pathOf('posts', post.id)
    const body = { name: 'Link of an agent' }
    const { id, url, token, expiresAt } = await ask<MadeLink>(api, 'POST', `${path}/preview-tokens`, { body })
    return [
      `${url ?? `${api.url}${path}?preview_token=${token}`}`,
      `It works until ${expiresAt}, unless it is revoked before.`,
      `To revoke it: a person does so in the studio, in the settings of the post under "Who can see it"; programs by DELETE ${path}/preview-tokens/${id}.`,
      await inStudio(agent, `posts/${post.id}`),
    ].join('\n')
  },
})

interface MadeLink {
  readonly id: string
  readonly url: string | null
  readonly token: string
  readonly expiresAt: string
}
