import { useState } from 'preact/hooks'
import { discardEdit } from '../../api/edits.ts'
import { addressOf, readProject } from '../../api/project.ts'
import type { Post, PostPatch } from '../../api/verso.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { navigate } from '../../route/router.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, focusFirst } from '../../ui/field.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { attempt, say } from '../../ui/toasts.tsx'
import type { Draft } from './saving/draft.ts'
import { makeVersion } from './saving/versions.ts'

interface PublishProps {
  readonly draft: Draft
  onClose(): void
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const pad = (value: number) => String(value).padStart(2, '0')

/** The value of a `datetime-local` for an instant, in one's own zone. */
function localValue(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The next full hour tomorrow: a time that one can keep. */
function tomorrow(): Date {
  const date = new Date(Date.now() + 86_400_000)
  date.setMinutes(0, 0, 0)
  return date
}

/** What will happen to the post, in words, before it happens. */
export function Publish({ draft, onClose }: PublishProps) {
  const [isLater, setLater] = useState(draft.post.peek()?.status === 'scheduled')
  const [time, setTime] = useState(() =>
    localValue(draft.post.peek()?.scheduledFor ? new Date(draft.post.peek()?.scheduledFor ?? 0) : tomorrow()),
  )
  const [isBusy, setBusy] = useState(false)
  const site = useLoaded('project', (stop) => readProject(api(), stop))
  // What is written is saved first: the words below are about it.
  const saved = useLoaded('saved', () => draft.flush())
  const post = draft.post.value
  const isPublic = draft.isPublic.value
  const at = new Date(time)
  const isValid = !isLater || at.getTime() > Date.now()
  const address = site.value && post && addressOf(site.value, { ...post, slug: draft.fields.value.slug })

  const run = async (work: (post: Post) => Promise<string>) => {
    if (!post) return
    setBusy(true)
    const isDone = await attempt(async () => {
      await draft.flush()
      if (draft.state.peek() === 'offline') throw new Error('offline')
      const said = await work(post)
      await draft.reload()
      say(said)
    })
    setBusy(false)
    if (isDone) onClose()
  }
  const setStatus =
    (fields: PostPatch) =>
    async ({ id }: Post) => {
      const updated = await api().verso.posts.update(id, fields)
      return updated.status === 'scheduled'
        ? t('editor.doneScheduled', { date: formatDate(at, 'time') })
        : t(`editor.done_${updated.status}`)
    }
  const update = async () => {
    await makeVersion(draft, isLater ? at.toISOString() : undefined)
    return isLater ? t('editor.doneScheduled', { date: formatDate(at, 'time') }) : t('editor.doneUpdated')
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPublic) void run(update)
    else
      void run(async (before) => {
        await makeVersion(draft)
        return setStatus(isLater ? { status: 'scheduled', scheduledFor: at.toISOString() } : { status: 'published' })(before)
      })
  }

  if (!post || (!saved.value && draft.state.value === 'saving'))
    return (
      <Dialog title={t('editor.publish')} onClose={onClose}>
        <p class="door-note">{t('editor.writeFirst')}</p>
      </Dialog>
    )
  if (!can('posts:publish')) return <Handed draft={draft} post={post} onClose={onClose} onApply={() => run(update)} />
  const nothing = isPublic && !draft.pending.value
  return (
    <Dialog title={t(isPublic ? 'editor.updateTitle' : 'editor.publishTitle')} onClose={onClose}>
      <form class="publish" onSubmit={submit}>
        {nothing ? (
          <p>{t('editor.nothingToUpdate')}</p>
        ) : (
          <>
            <fieldset class="publish-when">
              <legend class="hidden">{t('editor.when')}</legend>
              <label>
                <input ref={isLater ? null : focusFirst} type="radio" name="when" checked={!isLater} onChange={() => setLater(false)} />
                {t(isPublic ? 'editor.updateNow' : 'editor.now')}
              </label>
              <label>
                <input ref={isLater ? focusFirst : null} type="radio" name="when" checked={isLater} onChange={() => setLater(true)} />
                {t('editor.later')}
              </label>
            </fieldset>
            {isLater && (
              <Field
                label={t('editor.time', { zone })}
                error={isValid ? undefined : t('editor.past')}
                hint={`${formatDate(at, 'time', 'UTC')} UTC`}
              >
                {(control) => (
                  <input
                    {...control}
                    type="datetime-local"
                    required
                    value={time}
                    onInput={(event) => setTime(event.currentTarget.value || time)}
                  />
                )}
              </Field>
            )}
            <p class="publish-words">{words(draft, { isLater, at, address })}</p>
          </>
        )}
        <footer class="dialog-foot">
          <Others draft={draft} post={post} onRun={run} setStatus={setStatus} />
          {!nothing && (
            <button type="submit" class="button primary" disabled={isBusy || !isValid}>
              {t(isLater ? 'editor.schedule' : isPublic ? 'editor.update' : 'editor.publish')}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  )
}

interface Plan {
  readonly isLater: boolean
  readonly at: Date
  readonly address: string | undefined
}

function words(draft: Draft, { isLater, at, address }: Plan): string {
  const where = address ? t('editor.atAddress', { address }) : t('editor.throughApi')
  const when = isLater ? formatDate(at, 'long') : ''
  if (draft.isPublic.peek()) return t(isLater ? 'editor.willUpdateLater' : 'editor.willUpdate', { when, where })
  return t(isLater ? 'editor.willPublishLater' : 'editor.willPublish', { when, where })
}

/** A writer may finish a draft; what is public waits for somebody who publishes. */
function Handed({ draft, post, onClose, onApply }: PublishProps & { readonly post: Post; onApply(): void }) {
  const isOpen = post.status === 'published' || post.status === 'scheduled'
  return (
    <Dialog title={t('editor.save')} onClose={onClose}>
      <p class="door-note">{t(isOpen ? 'editor.savedAsPending' : 'editor.savedAsDraft')}</p>
      <footer class="dialog-foot">
        <button type="button" class="button primary" onClick={isOpen || !draft.pending.value ? onClose : onApply}>
          {t(isOpen ? 'common.close' : 'editor.save')}
        </button>
      </footer>
    </Dialog>
  )
}

interface OthersProps {
  readonly draft: Draft
  readonly post: Post
  onRun(work: (post: Post) => Promise<string>): Promise<void>
  setStatus(fields: PostPatch): (post: Post) => Promise<string>
}

/** Ways back. */
function Others({ draft, post, onRun, setStatus }: OthersProps) {
  const pending = draft.pending.value
  const discard = async ({ id }: Post) => {
    if (pending) await discardEdit(api(), id, pending.version)
    draft.revert()
    return t('editor.doneDiscarded')
  }
  const remove = async ({ id }: Post) => {
    await api().verso.posts.delete(id)
    const restore = async () => {
      await api().verso.posts.restore(id)
      navigate(screenPath('posts', id))
    }
    say(t('posts.deleted', { count: 1 }), restore)
    navigate(screenPath('posts'))
  }
  return (
    <div class="publish-others">
      {post.status !== 'draft' && (
        <button type="button" class="button quiet" onClick={() => onRun(setStatus({ status: 'draft' }))}>
          {t('editor.unpublish')}
        </button>
      )}
      {post.status === 'published' && (
        <button type="button" class="button quiet" onClick={() => onRun(setStatus({ status: 'archived' }))}>
          {t('posts.archive')}
        </button>
      )}
      {pending && (
        <button type="button" class="button quiet" onClick={() => onRun(discard)}>
          {t('editor.discard')}
        </button>
      )}
      <button type="button" class="button quiet danger" onClick={() => attempt(() => remove(post))}>
        {t('posts.delete')}
      </button>
    </div>
  )
}
