import { useState } from 'preact/hooks'
import { addressOf } from '../../api/posts.ts'
import { type Post, type PostPatch, Problem } from '../../api/verso.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { can, navigate, returnTo, screenPath, verso } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { Choices, Form } from '../../ui/form.tsx'
import { attempt, Dialog, say, useClose } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { TimeField, useSite } from '../../ui/time-field.tsx'
import type { Draft } from './saving/draft.ts'
import { makeVersion } from './saving/versions.ts'

/** The next full hour tomorrow: a time that one can keep. */
function tomorrow(): Date {
  const date = new Date(Date.now() + 86_400_000)
  date.setMinutes(0, 0, 0)
  return date
}

/** Does something to the post and says what was done, once all that is written is saved; with a way back, where it gives one. */
type Run = (work: (post: Post) => Promise<string | readonly [said: string, undo: () => Promise<unknown>]>) => Promise<void>

/** Why not all of it is saved; nothing where it is. */
function whyUnsaved({ state, faults, failure }: Draft): string | undefined {
  if (state.value === 'saved') return undefined
  return Object.values(faults.value)[0] ?? failure.value?.why ?? t(`editor.state_${state.value}`)
}

/** What is not saved would not go out with the rest. */
function requireSaved(draft: Draft): void {
  const detail = whyUnsaved(draft)
  if (detail) throw new Problem(422, { detail })
}

/** What will happen to the post, in words, before it happens. */
export function Publish({ draft }: { readonly draft: Draft }) {
  const close = useClose()
  const scheduledFor = draft.post.peek()?.scheduledFor ?? draft.pending.peek()?.scheduledFor
  const [isLater, setLater] = useState(Boolean(scheduledFor))
  const [at, setAt] = useState(() => (scheduledFor ? new Date(scheduledFor) : tomorrow()))
  const site = useSite()
  // What is written is saved first: the words below are about it.
  const saved = useLoaded('saved', () => draft.flush().then(() => true))
  const post = draft.post.value
  const isPublic = draft.isPublic.value
  const goal = isPublic ? 'update' : draft.goesOutWithout.value ? 'updateScheduled' : 'publish'

  const run: Run = async (work) => {
    if (!post) return
    await draft.flush()
    if (draft.isWaiting) requireSaved(draft)
    const said = await work(post)
    await draft.reload()
    if (typeof said === 'string') say(said)
    else say(...said)
    close()
  }
  const later = isLater ? at.toISOString() : undefined
  const update = async () => {
    requireSaved(draft)
    await makeVersion(draft, later)
    return later ? t('editor.done_scheduled', { date: formatDate(at, 'time') }) : t('editor.doneUpdated')
  }
  const publish = async ({ id }: Post) => {
    requireSaved(draft)
    await makeVersion(draft)
    return put(id, later ? { status: 'scheduled', scheduledFor: later } : { status: 'published' })
  }

  const isSaving = !saved.value && draft.state.value === 'saving'
  if (!post || isSaving)
    return (
      <Dialog title={t('editor.publish')}>
        <p class="door-note">{t(isSaving ? 'editor.state_saving' : 'editor.writeFirst')}</p>
      </Dialog>
    )
  if (!can('posts:publish')) {
    // A writer may finish a draft; what is public waits for somebody who publishes.
    const isOpen = isPublic || post.status === 'scheduled'
    const finish = async () => (isOpen || !draft.pending.value ? close() : run(update))
    return (
      <Dialog title={t('editor.save')}>
        <Form submit={t(isOpen ? 'common.close' : 'editor.save')} onSubmit={finish}>
          <p class="door-note">{whyUnsaved(draft) ?? t(isOpen ? 'editor.savedAsPending' : 'editor.savedAsDraft')}</p>
        </Form>
      </Dialog>
    )
  }
  const title = t(`editor.${goal}Title`)
  const others = <Others draft={draft} post={post} run={run} />
  if (isPublic && !draft.pending.value)
    return (
      <Dialog title={title}>
        <p>{whyUnsaved(draft) ?? t('editor.nothingToUpdate')}</p>
        <footer class="form-foot">{others}</footer>
      </Dialog>
    )
  const address = site && addressOf(site, { ...post, slug: draft.fields.value.slug })
  const where = address ? t('editor.atAddress', { address }) : t('editor.throughApi')
  const will = t(`editor.will_${goal}${isLater ? 'Later' : ''}`, { when: formatDate(at, 'long'), where })
  const isKept = goal === 'updateScheduled' && later === post.scheduledFor
  const deed = isKept || (isPublic && !isLater) ? 'update' : isLater ? 'schedule' : 'publish'
  return (
    <Dialog title={title}>
      <Form
        submit={t(`editor.${deed}`)}
        isDisabled={isLater && at.getTime() <= Date.now()}
        aside={others}
        onSubmit={() => run(isPublic ? update : publish)}
      >
        <Choices
          label={t('editor.when')}
          name="when"
          value={[isLater ? 'later' : 'now']}
          choices={(['now', 'later'] as const).map((time) => [time, t(`editor.${time}`)])}
          onChange={(time) => setLater(time === 'later')}
        />
        {isLater && <TimeField value={at} onInput={setAt} />}
        <p class="publish-words">{will}</p>
      </Form>
    </Dialog>
  )
}

/** Changes the status, and says so. */
async function put(id: string, fields: PostPatch): Promise<string> {
  const { status, scheduledFor } = await verso().posts.update(id, fields)
  return t(`editor.done_${status}`, { date: scheduledFor ? formatDate(scheduledFor, 'time') : '' })
}

/** Ways back. */
function Others({ draft, post: { id, status }, run }: { readonly draft: Draft; readonly post: Post; readonly run: Run }) {
  const pending = draft.pending.value
  const discard = async () => {
    const [edit, before] = [draft.fields.peek(), draft.pending.peek()]
    if (before) await draft.verso.request('DELETE /v1/posts/{idOrSlug}/pending', { idOrSlug: id }, { ifMatch: before })
    draft.revert()
    const undo = async () => {
      draft.bringBack(edit)
      await draft.flush()
      if (before?.scheduledFor) await makeVersion(draft, before.scheduledFor)
      await draft.reload()
    }
    return [t('editor.doneDiscarded'), undo] as const
  }
  const remove = async () => {
    await verso().posts.delete(id)
    const client = verso()
    say(t('posts.deleted', { count: 1 }), async () => {
      await client.posts.restore(id)
      navigate(screenPath('posts', id))
    })
    returnTo(screenPath('posts'))
  }
  const ways = [
    { label: t('editor.unpublish'), isOffered: status !== 'draft', go: () => run(() => put(id, { status: 'draft' })) },
    { label: t('posts.archive'), isOffered: status === 'published', go: () => run(() => put(id, { status: 'archived' })) },
    { label: t('editor.discard'), isOffered: pending !== undefined, go: () => run(discard) },
  ].filter(({ isOffered }) => isOffered)
  return (
    <div class="publish-others">
      {ways.map(({ label, go }) => (
        <Button key={label} kind="quiet" label={label} onClick={() => attempt(go)} />
      ))}
      <Button kind="quiet danger" label={t('posts.delete')} onClick={() => attempt(remove)} />
    </div>
  )
}
