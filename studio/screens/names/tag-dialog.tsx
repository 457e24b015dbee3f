import { useEffect, useState } from 'preact/hooks'
import { everyItem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { changeEach } from '../../ui/changing.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { attempt, Dialog, show, useClose } from '../../ui/layers.tsx'

interface TagDialogProps {
  readonly tag: { readonly name: string; readonly slug: string; readonly postCount: number }
  /** The names of all of them: one of these is completed. */
  readonly known: readonly string[]
  onDone(): void
}

/** Renames a tag, or takes it off. */
export function TagDialog({ tag, known, onDone }: TagDialogProps) {
  const { name, postCount: count } = tag
  const close = useClose()
  const changeTo = async (to?: string) => (to === name ? undefined : <Retagging tag={tag} to={to} onDone={onDone} />)
  const askToDelete = () => {
    close()
    show(
      <FormDialog title={t('deeds.deleteOne', { name })} submit={t('deeds.delete')} kind="danger" onSubmit={() => changeTo()}>
        <p>{t('names.takeOff', { count })}</p>
        <p class="note">{t('names.notInTrash')}</p>
      </FormDialog>,
    )
  }
  const aside = <Button kind="quiet danger apart" label={t('deeds.delete')} onClick={askToDelete} />
  const rename = (values: FormData) => changeTo(textIn(values, 'name'))
  return (
    <FormDialog title={t('names.edit_tags')} submit={t('names.rename')} aside={aside} onSubmit={rename}>
      <TextField label={t('names.name')} name="name" value={name} options={known} maxLength={80} required autofocus />
      <p>{t('names.renames', { count })}</p>
      <p class="note">{t('names.notInTrash')}</p>
    </FormDialog>
  )
}

/**
 * Gives a tag another name, or takes it off, in every post that has it, for a tag is nothing but that. One sees how far it is; closing stops it.
 */
function Retagging({ tag: { name, slug }, to, onDone }: Omit<TagDialogProps, 'known'> & { readonly to: string | undefined }) {
  const close = useClose()
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const retag = async (signal: AbortSignal) => {
    const query = { tag: slug, fields: ['tags', 'tagSlugs', 'version'], sort: 'created_at', limit: 100, total: false } as const
    const posts = await everyItem(verso().posts.pages(query))
    const said = (count: number) => t(to === undefined ? 'names.untagged' : 'names.retagged', { count, name: to ?? name })
    // Leaves a post as it is that somebody has changed meanwhile.
    const tagged = (id: string, ifMatch: number, tags: string[]) => ({ op: 'update', id, ifMatch, body: { tags } }) as const
    const change = ({ id, version, tags, tagSlugs }: (typeof posts)[number]) => {
      const changed = tags.flatMap((tag, i) => (tagSlugs[i] !== slug ? [tag] : (to ?? [])))
      return tagged(id, version, changed)
    }
    const revert = ({ id, version, tags }: (typeof posts)[number], now = { version }) => tagged(id, now.version, [...tags])
    const onProgress = (done: number) => setProgress({ done, total: posts.length })
    await changeEach(posts, { said, change, revert }, { signal, onProgress, onDone })
  }
  useEffect(() => {
    const stop = new AbortController()
    void attempt(() => retag(stop.signal)).then(close)
    return () => stop.abort()
  }, [])
  return (
    <Dialog title={name}>
      <div class="form">
        <p aria-live="polite">{t('names.progress', progress)}</p>
        <progress max={progress.total} value={progress.done} aria-label={name} />
        <footer class="form-foot">
          <Button label={t('names.stop')} onClick={close} />
        </footer>
      </div>
    </Dialog>
  )
}
