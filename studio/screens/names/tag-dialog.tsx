import { useEffect, useRef, useState } from 'preact/hooks'
import { type Named, retag, setTags } from '../../api/names.ts'
import { t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CancelButton, Form, TextField, textIn } from '../../ui/form.tsx'
import { say } from '../../ui/toasts.tsx'

interface TagDialogProps {
  readonly tag: Named
  onClose(): void
  onDone(): void
  /** What was done was undone. */
  onChanged(): void
}

/** Renames a tag or takes it off: every post that has it is changed, some at a time, so one sees how far it is and can stop it. */
export function TagDialog({ tag, onClose, onDone, onChanged }: TagDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const { name, postCount: count } = tag

  const run = async (to: string | undefined) => {
    if (to === name) return onClose()
    const project = api()
    const { signal } = stop.current
    const { changed, failures } = await retag(project, tag, { to, signal, onProgress: (done, total) => setProgress({ done, total }) })
    const undo = async () => {
      const { failures: kept } = await setTags(project, changed)
      if (kept.length > 0) say(t('posts.failed', { count: kept.length, why: kept[0] ?? '' }))
      onChanged()
    }
    if (changed.length > 0)
      say(t(to === undefined ? 'names.untagged' : 'names.retagged', { count: changed.length, name: to ?? name }), undo)
    if (failures.length > 0) say(t('posts.failed', { count: failures.length, why: failures[0] ?? '' }))
    onDone()
  }

  if (progress)
    return (
      <Dialog title={name} onClose={onClose}>
        <div class="form">
          <p aria-live="polite">{t('names.progress', { ...progress })}</p>
          <progress max={progress.total} value={progress.done} aria-label={name} />
          <footer class="form-foot">
            <button type="button" class="button" onClick={() => stop.current.abort()}>
              {t('names.stop')}
            </button>
          </footer>
        </div>
      </Dialog>
    )
  if (isDeleting)
    return (
      <Dialog title={t('names.deleteNamed', { name })} onClose={onClose}>
        <Form submit={t('names.delete')} isDanger aside={<CancelButton onClose={onClose} />} onSubmit={() => run(undefined)}>
          <p>{t('names.takeOff', { count })}</p>
          <p class="note">{t('names.notInTrash')}</p>
        </Form>
      </Dialog>
    )
  const deleteButton = (
    <button type="button" class="button quiet danger apart" onClick={() => setDeleting(true)}>
      {t('names.delete')}
    </button>
  )
  return (
    <Dialog title={t('names.edit_tags')} onClose={onClose}>
      <Form submit={t('names.rename')} aside={deleteButton} onSubmit={(values) => run(textIn(values, 'name'))}>
        <TextField label={t('names.name')} name="name" value={name} maxLength={80} required autofocus />
        <p>{t('names.renames', { count })}</p>
        <p class="note">{t('names.notInTrash')}</p>
      </Form>
    </Dialog>
  )
}
