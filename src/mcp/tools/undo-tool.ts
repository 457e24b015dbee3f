import Type from 'typebox'
import type { PendingEdit } from '../../resources/posts/pending/pending-edit-schema.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import type { PostRevision } from '../../resources/posts/revisions/post-revision-schema.ts'
import type { Agent } from '../agent.ts'
import { afterDone, ask, pathOf, Refusal, unlessRefused } from '../api.ts'
import { findWorkingPost, requireRead, versionOf, type WorkingPost } from '../posts/working-post.ts'
import { diffOf, halfDone, inStudio, named, registeredVersion, unchangedAnswer, writtenAnswer } from '../posts/write-answer.ts'
import { argsOf, said, tool, versionArg } from './tool.ts'

export const undo = tool({
  name: 'undo',
  description: 'Takes back a change of your own, if nothing came after it. Every write says with which arguments.',
  // Whoever can write with any tool can take that back.
  anyScope: ['posts:propose', 'media:write'],
  writes: true,
  args: argsOf({
    id: said('Of the post or picture', { maxLength: 100 }),
    version: versionArg,
    back_to: Type.Optional(Type.Integer({ minimum: 1, description: 'An earlier version, if all since are yours' })),
    keep_edit: Type.Optional(Type.Boolean({ description: 'What is taken back becomes a pending edit' })),
    edit_at: Type.Optional(said('When that edit is to be applied', { maxLength: 40 })),
  }),
  async run(agent, { id, version, back_to, keep_edit = false, edit_at }) {
    if (id.startsWith('med_')) return undoMedia(agent, id, version)
    const working = await findWorkingPost(agent, id)
    requireRead(working, version)
    if (working.pending) return undoPending(agent, working)
    const { post } = working
    const target = back_to ?? post.version - 1
    if (target >= post.version) throw new Refusal(`back_to must be below ${post.version}. Nothing was changed.`)
    await requireOwn(agent, post, target)
    return target === 0 ? undoDraft(agent, post) : goBack(agent, post, { target, keepEdit: keep_edit, editAt: edit_at })
  },
})

/** Takes back the last save of a pending edit. */
async function undoPending(agent: Agent, { post, pending, latest }: WorkingPost): Promise<string> {
  if (pending?.actor !== agent.actor) throw foreign
  const path = pathOf('posts', post.id, '/pending/undo')
  await ask(agent.api, 'POST', path, { body: {}, ifMatch: pending.version })
  const after = await unlessRefused(findWorkingPost(agent, post.id))
  if (!after) return `Took back the last change of the pending edit of ${named(latest)}. Read the post to see its version.`
  if (!after.pending) {
    const done = `Took back the pending edit of ${named(after.post)}. It has none now; the post is as before.`
    return [
      done,
      `version: ${after.version}`,
      `Changed:\n${await diffOf(latest, after.latest)}`,
      await inStudio(agent, `posts/${post.id}`),
    ].join('\n')
  }
  const done = `Took back the last change of the pending edit of ${named(latest)}.`
  return writtenAnswer(agent, { id: post.id, done, version: after.version, diff: await diffOf(latest, after.latest) })
}

/** Every change after that version must be the agent's own. */
async function requireOwn({ api, actor }: Agent, { id, version }: Post, target: number): Promise<void> {
  const count = version - target
  if (count > 100) throw foreign
  const path = pathOf('posts', id, '/revisions')
  const { data } = await ask<{ readonly data: readonly PostRevision[] }>(api, 'GET', path, { query: { limit: count, total: 'false' } })
  if (data.length !== count || data.some((revision) => revision.actor !== actor)) throw foreign
}

const foreign = new Refusal(
  'This change is not your own. Nothing was changed.\nAsk a person to restore a version in the history of the studio.',
)

/** A draft that nobody has touched since goes to the trash, from which people can restore it for 30 days. */
async function undoDraft(agent: Agent, post: Post): Promise<string> {
  if (post.status !== 'draft') throw foreign
  await ask(agent.api, 'DELETE', pathOf('posts', post.id), { ifMatch: post.version })
  const done = `Took back the draft ${named(post)}. It is in the trash now, where no tool finds it; a person can restore it for 30 days.`
  return `${done}\n${await inStudio(agent, 'trash')}`
}

interface Back {
  readonly target: number
  readonly keepEdit: boolean
  readonly editAt: string | undefined
}

/** Gives a post the fields, the status and the dates of an earlier version. */
async function goBack(agent: Agent, post: Post, { target, keepEdit, editAt }: Back): Promise<string> {
  const { api } = agent
  const past = await ask<Post>(api, 'GET', pathOf('posts', post.id, `/revisions/${target}`))
  const dates = {
    ...(past.status === 'scheduled' && { scheduledFor: past.scheduledFor }),
    ...((past.status === 'published' || past.status === 'archived') && { publishedAt: past.publishedAt }),
  }
  const body = { ...valuesOf(past), ...(past.status !== post.status && { status: past.status }), ...(past.status !== 'draft' && dates) }
  const after = await ask<Post>(api, 'PATCH', pathOf('posts', post.id), { body, ifMatch: post.version })
  if (after.version === post.version && !keepEdit) return unchangedAnswer(after, versionOf(after))
  const done = `${named(after)} is as in version ${target} again.`
  const edit = keepEdit ? await keepAsEdit(agent, { taken: post, after, done, editAt }) : undefined
  const version = versionOf(after, edit)
  const undoBy = edit && publishingAgain(post, version)
  return writtenAnswer(agent, { id: post.id, done, version, diff: await diffOf(post, after), undoBy })
}

/** The call that publishes or schedules a post again, with its edit: taking back the edit would lose it. */
function publishingAgain({ id, status, scheduledFor }: Post, version: string): string | undefined {
  const args = { post: id, version }
  if (status === 'published') return `publish_post ${JSON.stringify(args)}`
  return status === 'scheduled' ? `schedule_post ${JSON.stringify({ ...args, at: scheduledFor })}` : undefined
}

interface Kept {
  readonly taken: Post
  readonly after: Post
  /** What was done before. */
  readonly done: string
  readonly editAt: string | undefined
}

/** What was taken back, as the pending edit of the post as it is now; scheduled again if it was. */
async function keepAsEdit({ api }: Agent, { taken, after, done, editAt }: Kept): Promise<PendingEdit> {
  const { id } = after
  const path = pathOf('posts', id, '/pending')
  const body = { ...valuesOf(taken), basedOn: after.version }
  const goneBack = { done: halfDone({ id, done, version: versionOf(after) }), next: 'keep what was taken back as the pending edit' }
  const edit = await afterDone(goneBack, ask<PendingEdit>(api, 'PATCH', path, { body, onlyNew: true }))
  if (editAt === undefined) return edit
  const undoBy = publishingAgain(taken, versionOf(after, edit))
  const kept = halfDone({ id, done: `${done} What was taken back is its pending edit.`, version: versionOf(after, edit), undoBy })
  const scheduling = ask<PendingEdit>(api, 'POST', `${path}/apply`, { body: { scheduledFor: editAt }, ifMatch: edit.version })
  return afterDone({ done: kept, next: `schedule that edit for ${editAt} again` }, scheduling)
}

function valuesOf({ title, slug, content, excerpt, tags, seo, aliases, author, category }: Post) {
  return { title, slug, content, excerpt, tags, seo, aliases, authorId: author?.id ?? null, categoryId: category?.id ?? null }
}

/** The record of a picture that nobody has changed since is deleted. */
async function undoMedia(agent: Agent, id: string, version: string): Promise<string> {
  if (version !== registeredVersion(agent.actor, id)) throw foreign
  await ask(agent.api, 'DELETE', pathOf('media', id), { ifMatch: 1 })
  const done = `Took back the picture ${id}: its record is gone. Texts that show it by its URL are as they were; register_media records it again.`
  return `${done}\n${await inStudio(agent, 'media')}`
}
