import type { PendingEdit } from '../../resources/posts/pending/pending-edit-schema.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import type { Agent } from '../agent.ts'
import { afterDone, ask, pathOf, Refusal } from '../api.ts'
import { findWorkingPost, requireRead, versionOf, type WorkingPost } from '../posts/working-post.ts'
import { diffOf, halfDone, named, unchangedAnswer, writtenAnswer } from '../posts/write-answer.ts'
import { argsOf, postArg, said, tool, versionArg } from './tool.ts'

export const publishPost = tool({
  name: 'publish_post',
  description: 'Publishes a post now, with its pending edit; or applies the pending edit of a published post.',
  scopes: ['posts:write', 'posts:publish'],
  writes: true,
  args: argsOf({ post: postArg, version: versionArg }),
  async run(agent, { post, version }) {
    const working = await findWorkingPost(agent, post)
    requireRead(working, version)
    const { post: before, pending } = working
    if (before.status === 'published' && !pending)
      return `${named(before)} is published already, and has no pending edit.\nversion: ${version}`
    const after = before.status === 'published' ? await withEdit(agent, working) : await moveTo(agent, working, { status: 'published' })
    return answerOf(agent, working, after, `Published ${named(after)}.`)
  },
})

export const schedulePost = tool({
  name: 'schedule_post',
  description: 'Schedules a post, with its pending edit; or the pending edit of a published post.',
  scopes: ['posts:write', 'posts:publish'],
  writes: true,
  args: argsOf({ post: postArg, version: versionArg, at: said('RFC 3339, in the future', { maxLength: 40 }) }),
  async run(agent, { post, version, at }) {
    const working = await findWorkingPost(agent, post)
    requireRead(working, version)
    const { post: before, pending } = working
    const { api } = agent
    if (before.status === 'published') {
      if (!pending) throw new Refusal('It is published, and has no pending edit that could be scheduled. Edit it first.')
      const body = { scheduledFor: at }
      const scheduled = await ask<PendingEdit>(api, 'POST', pathOf('posts', before.id, '/pending/apply'), {
        body,
        ifMatch: pending.version,
      })
      if (scheduled.version === pending.version) return unchangedAnswer(before, version)
      const done = `Scheduled the pending edit of ${named(before)} for ${scheduled.scheduledFor}.`
      return writtenAnswer(agent, { id: before.id, done, version: versionOf(before, scheduled), diff: '' })
    }
    const after = await moveTo(agent, working, { status: 'scheduled', scheduledFor: at })
    if (after.version === before.version && !pending) return unchangedAnswer(after, version)
    return answerOf(agent, working, after, `Scheduled ${named(after)} for ${after.scheduledFor}.`)
  },
})

/** Applies the pending edit of a post, and gives it its new status. The second is tried first, so that not only the first is done. */
async function moveTo(agent: Agent, working: WorkingPost, body: object): Promise<Post> {
  const path = pathOf('posts', working.post.id)
  if (working.pending) await ask(agent.api, 'PATCH', path, { body, ifMatch: working.post.version, query: { dry_run: 'true' } })
  const edited = await withEdit(agent, working)
  const moving = ask<Post>(agent.api, 'PATCH', path, { body, ifMatch: edited.version })
  if (!working.pending) return moving
  const { id, status } = edited
  const done = halfDone({
    id,
    done: `Applied the pending edit of ${named(edited)}, which is still ${status}.`,
    version: versionOf(edited),
    undo: undoOf(working),
  })
  return afterDone({ done, next: 'scheduledFor' in body ? 'schedule it' : 'publish it' }, moving)
}

/** The post with its pending edit applied, if it has one. */
async function withEdit(agent: Agent, { post, pending }: WorkingPost): Promise<Post> {
  if (!pending) return post
  return ask<Post>(agent.api, 'POST', pathOf('posts', post.id, '/pending/apply'), { body: {}, ifMatch: pending.version })
}

async function answerOf(agent: Agent, working: WorkingPost, after: Post, done: string): Promise<string> {
  const { post } = working
  const diff = await diffOf(post, after)
  return writtenAnswer(agent, { id: post.id, done, version: versionOf(after), diff, undo: undoOf(working) })
}

/** What takes back the status and makes the edit pending again, at its time if it had one. */
function undoOf({ post, pending }: WorkingPost): Readonly<Record<string, unknown>> {
  if (!pending) return {}
  return { back_to: post.version, keep_edit: true, ...(pending.scheduledFor !== null && { edit_at: pending.scheduledFor }) }
}
