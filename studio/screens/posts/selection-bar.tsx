import { useId, useState } from 'preact/hooks'
import { changePosts, type ListedPost, statusPatch } from '../../api/posts.ts'
import { listTags } from '../../api/references.ts'
import { type MessageKey, t } from '../../i18n/catalogue.ts'
import { api, can } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { attempt, say } from '../../ui/toasts.tsx'

interface SelectionBarProps {
  readonly posts: readonly ListedPost[]
  onDone(): void
  onClear(): void
  onAll(): void
}

type Operation = Parameters<typeof changePosts>[1][number]

interface Deed {
  /** Says how many it was done to. */
  readonly said: MessageKey
  change(post: ListedPost): Operation
  revert(post: ListedPost): Operation
}

const update = (id: string, body: NonNullable<Operation['body']>): Operation => ({ op: 'update', id, body })
const revertStatus = (post: ListedPost) => update(post.id, statusPatch(post))

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
  const [isTagging, setTagging] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const run = async ({ said, change, revert }: Deed) => {
    setBusy(true)
    const isDone = await attempt(async () => {
      const { done, failures } = await changePosts(api(), posts.map(change))
      const changed = posts.filter(({ id }) => done.some((each) => each.id === id))
      const undo = async () => {
        await changePosts(api(), changed.map(revert))
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
      <button type="button" class="button quiet wide-only" onClick={onAll}>
        {t('posts.selectAll')}
      </button>
      {mayPublish && (
        <>
          <button type="button" class="button quiet" disabled={isBusy} onClick={() => run(publish)}>
            {t('posts.publish')}
          </button>
          <button type="button" class="button quiet" disabled={isBusy} onClick={() => run(archive)}>
            {t('posts.archive')}
          </button>
        </>
      )}
      <button type="button" class="button quiet" disabled={isBusy} onClick={() => setTagging(true)}>
        {t('posts.addTag')}
      </button>
      <button type="button" class="button quiet danger" disabled={isBusy} onClick={() => run(remove)}>
        {t('posts.delete')}
      </button>
      <button type="button" class="button quiet square" aria-label={t('posts.clearSelection')} onClick={onClear}>
        <Icon name="close" />
      </button>
      {isTagging && (
        <TagDialog
          onClose={() => setTagging(false)}
          onTag={(tag) => {
            setTagging(false)
            void run(addTag(tag))
          }}
        />
      )}
    </div>
  )
}

function TagDialog({ onClose, onTag }: { onClose(): void; onTag(tag: string): void }) {
  const list = useId()
  const { value: tags = [] } = useLoaded('tags', (stop) => listTags(api(), stop))
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const tag = String(new FormData(event.currentTarget).get('tag')).trim()
    if (tag !== '') onTag(tag)
  }
  return (
    <Dialog title={t('posts.addTag')} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t('posts.tag')}>
          {(control) => <input {...control} type="text" name="tag" list={list} maxLength={80} autocomplete="off" required autofocus />}
        </Field>
        <datalist id={list}>
          {tags.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        <footer class="dialog-foot">
          <button type="submit" class="button primary">
            {t('posts.addTag')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
