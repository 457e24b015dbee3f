import { useState } from 'preact/hooks'
import type { ListedPost, Operation } from '../../api/posts.ts'
import { everyItem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { can, canChange, verso } from '../../route/router.ts'
import { changeEach, type Deed } from '../../ui/changing.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { attempt, show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'

interface SelectionBarProps {
  readonly posts: readonly ListedPost[]
  onDone(): void
  onClear(): void
  onAll(): void
}

const update = (id: string, body: NonNullable<Operation['body']>): Operation => ({ op: 'update', id, body })

/** What makes a post again what it was: its status with the date that belongs to it. */
function revertStatus({ id, status, publishedAt, scheduledFor }: ListedPost): Operation {
  if (status === 'scheduled') return update(id, { status, scheduledFor })
  return update(id, publishedAt !== null && status !== 'draft' ? { status, publishedAt } : { status })
}

const putIn = (status: 'published' | 'archived'): Deed<ListedPost> => ({
  said: (count, now) => {
    const edits = status === 'published' ? now.filter((post) => post?.hasPendingEdit).length : 0
    return [t(`posts.${status}`, { count }), edits > 0 && t('posts.editsWait', { count: edits })].filter(Boolean).join(' ')
  },
  change: ({ id }) => update(id, { status }),
  revert: revertStatus,
})
const remove: Deed<ListedPost> = {
  said: (count) => t('posts.deleted', { count }),
  change: ({ id }) => ({ op: 'delete', id }),
  revert: ({ id }) => ({ op: 'restore', id }),
}
const addTag = (tag: string): Deed<ListedPost> => ({
  said: (count) => t('posts.tagged', { count }),
  // A post that somebody has changed meanwhile may have other tags by now.
  change: ({ id, version, tags }) => ({ ...update(id, { tags: [...tags, tag] }), ifMatch: version }),
  revert: ({ id, version, tags }, now) => ({ ...update(id, { tags }), ifMatch: now?.version ?? version }),
})

/** What can be done to the posts that are selected. Everything can be undone. */
export function SelectionBar({ posts, onDone, onClear, onAll }: SelectionBarProps) {
  const [isBusy, setBusy] = useState(false)

  const run = async (deed: Deed<ListedPost>) => {
    setBusy(true)
    const isDone = await attempt(() => changeEach(posts, deed, { onDone }))
    setBusy(false)
    if (isDone) onClear()
    else onDone()
  }
  const offer = (label: string, onClick: () => void, kind = 'quiet') => (
    <Button kind={kind} label={label} disabled={isBusy} onClick={onClick} />
  )
  const mayPublish = can('posts:publish')
  const mayChange = posts.every(({ status }) => canChange(status))
  return (
    <div class="selection" role="toolbar" aria-label={t('posts.selected', { count: posts.length })}>
      <span class="selection-count">{t('posts.selected', { count: posts.length })}</span>
      <Button kind="quiet wide-only" label={t('posts.selectAll')} onClick={onAll} />
      {mayPublish && offer(t('posts.publish'), () => run(putIn('published')))}
      {mayPublish && offer(t('posts.archive'), () => run(putIn('archived')))}
      {mayChange && offer(t('posts.addTag'), () => show(<TagDialog onTag={(tag) => run(addTag(tag))} />))}
      {mayChange && offer(t('posts.delete'), () => run(remove), 'quiet danger')}
      {!mayChange && <span class="note">{t('posts.onlyPublishers')}</span>}
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
