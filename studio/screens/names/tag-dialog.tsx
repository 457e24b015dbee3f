import { useEffect, useRef, useState } from 'preact/hooks'
import { changePosts } from '../../api/posts.ts'
import { everyItem, type Verso } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { Dialog, say } from '../../ui/layers.tsx'

/** A post with its tags before and its version after. */
interface TaggedPost {
  readonly id: string
  readonly tags: readonly string[]
  readonly version: number
}

interface Retagging {
  /** Another name, or none to take the tag off. */
  readonly to: string | undefined
  readonly signal: AbortSignal
  onProgress(done: number, total: number): void
}

/** Few enough that one sees it go on. */
const atOnce = 50

/** Changes a tag in every post that has it, for a tag is nothing but that. It can be stopped; what was changed then stays. */
export async function retag(verso: Verso, slug: string, { to, signal, onProgress }: Retagging) {
  const query = { tag: slug, fields: ['tags', 'tagSlugs', 'version'], sort: 'created_at', limit: 100, total: false } as const
  const posts = await everyItem(verso.posts.pages(query, { signal }))
  const changes = posts.map(({ tags, tagSlugs, ...post }) => {
    const named = tags.flatMap((tag, i) => (tagSlugs[i] !== slug ? [tag] : to === undefined ? [] : [to]))
    return { ...post, before: tags, tags: named }
  })
  const changed: TaggedPost[] = []
  const failures: string[] = []
  for (let at = 0; at < changes.length && !signal.aborted; at += atOnce) {
    onProgress(at, changes.length)
    const some = changes.slice(at, at + atOnce)
    const outcome = await setTags(verso, some)
    failures.push(...outcome.failures)
    for (const { id, post } of outcome.done) {
      const before = some.find((each) => each.id === id)?.before
      if (post && before) changed.push({ id, tags: before, version: post.version })
    }
  }
  return { changed, failures }
}

/** Leaves a post as it is that somebody has changed meanwhile. */
export function setTags(verso: Verso, posts: readonly TaggedPost[]) {
  return changePosts(
    verso,
    posts.map(({ id, version, tags }) => ({ op: 'update', id, ifMatch: version, body: { tags: [...tags] } })),
  )
}

interface TagDialogProps {
  readonly tag: { readonly name: string; readonly slug: string; readonly postCount: number }
  onDone(): void
}

const sayFailures = ([why = '', ...more]: readonly string[]) => why && say(t('posts.failed', { count: more.length + 1, why }))

/** Renames a tag or takes it off: every post that has it is changed, some at a time, so one sees how far it is and can stop it. */
export function TagDialog({ tag: { name, slug, postCount: count }, onDone }: TagDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  const run = async (to: string | undefined) => {
    if (to === name) return
    const [project, { signal }] = [verso(), stop.current]
    const { changed, failures } = await retag(project, slug, { to, signal, onProgress: (done, total) => setProgress({ done, total }) })
    const undo = async () => {
      sayFailures((await setTags(project, changed)).failures)
      onDone()
    }
    if (changed.length > 0)
      say(t(to === undefined ? 'names.untagged' : 'names.retagged', { count: changed.length, name: to ?? name }), undo)
    sayFailures(failures)
    onDone()
  }

  if (progress)
    return (
      <Dialog key="progress" title={name}>
        <div class="form">
          <p aria-live="polite">{t('names.progress', { ...progress })}</p>
          <progress max={progress.total} value={progress.done} aria-label={name} />
          <footer class="form-foot">
            <Button label={t('names.stop')} onClick={() => stop.current.abort()} />
          </footer>
        </div>
      </Dialog>
    )
  if (isDeleting)
    return (
      <FormDialog
        key="delete"
        title={t('names.deleteNamed', { name })}
        submit={t('names.delete')}
        kind="danger"
        onSubmit={() => run(undefined)}
      >
        <p>{t('names.takeOff', { count })}</p>
        <p class="note">{t('names.notInTrash')}</p>
      </FormDialog>
    )
  const aside = <Button kind="quiet danger apart" label={t('names.delete')} onClick={() => setDeleting(true)} />
  return (
    <FormDialog title={t('names.edit_tags')} submit={t('names.rename')} aside={aside} onSubmit={(values) => run(textIn(values, 'name'))}>
      <TextField label={t('names.name')} name="name" value={name} maxLength={80} required autofocus />
      <p>{t('names.renames', { count })}</p>
      <p class="note">{t('names.notInTrash')}</p>
    </FormDialog>
  )
}
