import { useState } from 'preact/hooks'
import { changePosts, type ListedPost, type Operation } from '../../api/posts.ts'
import { everyItem } from '../../api/verso.ts'
import { type MessageKey, t } from '../../i18n/catalogue.ts'
import { can, verso } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { attempt, say, show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'

interface SelectionBarProps {
  readonly posts: readonly ListedPost[]
  onDone(): void
  onClear(): void
  onAll(): void
}

interface Deed {
  /** Says how many it was done to. */
  readonly said: MessageKey
  change(post: ListedPost): Operation
  revert(post: ListedPost): Operation
}

const update = (id: string, body: NonNullable<Operation['body']>): Operation => ({ op: 'update', id, body })

/** What makes a post again what it was: its status with the date that belongs to it. */
function revertStatus({ id, status, publishedAt, scheduledFor }: ListedPost): Operation {
  if (status === 'scheduled') return update(id, { status, scheduledFor })
  return update(id, publishedAt !== null && status !== 'draft' ? { status, publishedAt } : { status })
}

const publish: Deed = { said: 'posts.published', change: ({ id }) => update(id, { status: 'published' }), revert: revertStatus }
const archive: Deed = { said: 'posts.archived', change: ({ id }) => update(id, { status: 'archived' }), revert: revertStatus }
const remove: Deed = { said: 'posts.deleted', change: ({ id }) => ({ op: 'delete', id }), revert: ({ id }) => ({ op: 'restore', id }) }
const addTag = (tag: string): Deed => ({
  said: 'posts.tagged',
  change: ({ id, tags }) => update(id, { tags: [...tags, tag] }),
  revert: ({ id, tags }) => update(id, { tags }),
})

/** What can be done to the posts that are selected. Everything can be undone. */
export function SelectionBar({ posts, onDone, onClear, onAll }: SelectionBarProps) {
  const [isBusy, setBusy] = useState(false)

  const run = async ({ said, change, revert }: Deed) => {
    setBusy(true)
    const isDone = await attempt(async () => {
      const { done, failures } = await changePosts(verso(), posts.map(change))
      const changed = posts.filter(({ id }) => done.some((each) => each.id === id))
      const undo = async () => {
        await changePosts(verso(), changed.map(revert))
        onDone()
      }
      if (changed.length > 0) say(t(said, { count: changed.length }), undo)
      if (failures.length > 0) say(t('posts.failed', { count: failures.length, why: failures[0] ?? '' }))
    })
    setBusy(false)
    onDone()
    if (isDone) onClear()
  }
  const mayPublish = can('posts:publish')
  return (
    <div class="selection" role="toolbar" aria-label={t('posts.selected', { count: posts.length })}>
      <span class="selection-count">{t('posts.selected', { count: posts.length })}</span>
      <Button kind="quiet wide-only" label={t('posts.selectAll')} onClick={onAll} />
      {mayPublish && <Button kind="quiet" label={t('posts.publish')} disabled={isBusy} onClick={() => run(publish)} />}
      {mayPublish && <Button kind="quiet" label={t('posts.archive')} disabled={isBusy} onClick={() => run(archive)} />}
      <Button
        kind="quiet"
        label={t('posts.addTag')}
        disabled={isBusy}
        onClick={() => show(<TagDialog onTag={(tag) => run(addTag(tag))} />)}
      />
      <Button kind="quiet danger" label={t('posts.delete')} disabled={isBusy} onClick={() => run(remove)} />
      <Button icon="close" label={t('posts.clearSelection')} onClick={onClear} />
    </div>
  )
}

function TagDialog({ onTag }: { onTag(tag: string): void }) {
  const { value: tags = [] } = useLoaded('tags', (stop) => everyItem(verso().tags.pages({ sort: '-post_count', limit: 100 }, stop)))
  const add = async (values: FormData) => void (textIn(values, 'tag') && onTag(textIn(values, 'tag')))
  return (
    <FormDialog title={t('posts.addTag')} submit={t('posts.addTag')} onSubmit={add}>
      <TextField label={t('posts.tag')} name="tag" options={tags.map(({ name }) => name)} maxLength={80} required autofocus />
    </FormDialog>
  )
}
