import { useState } from 'preact/hooks'
import { postsShowing } from '../../api/media.ts'
import type { Media, MediaCreate } from '../../api/verso.ts'
import { formatNumber, t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Confirm, Form, TextField, textIn } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { say } from '../../ui/toasts.tsx'

/** A picture, in front of what stands for one that cannot be loaded. */
export function Picture({ url, alt }: { readonly url: string; readonly alt: string }) {
  const [isLost, setLost] = useState(false)
  return (
    <span class="media-picture">
      {isLost ? <Icon name="media" /> : <img src={url} alt={alt} loading="lazy" onError={() => setLost(true)} />}
    </span>
  )
}

interface MediaDialogProps {
  /** A record, or what is going to be one. */
  readonly media: Media | MediaCreate
  onClose(): void
  onDone(): void
}

export function MediaDialog({ media, onClose, onDone }: MediaDialogProps) {
  const record = 'id' in media ? media : undefined
  const [isDeleting, setDeleting] = useState(false)
  const posts = useLoaded(record?.id ?? '', async (stop) => (record ? postsShowing(api(), record, stop) : []))
  const count = posts.value?.length ?? 0
  const { url, filename, mimeType, size, width, height, alt } = media
  const save = async (values: FormData) => {
    const fields = { filename: textIn(values, 'filename'), alt: textIn(values, 'alt') }
    if (record) await api().verso.media.update(record.id, fields, { ifMatch: record.version })
    else await api().verso.media.create({ ...media, ...fields, mimeType: textIn(values, 'mimeType') as typeof mimeType })
    say(t(record ? 'media.saved' : 'media.created', { name: fields.filename }))
    onDone()
  }
  const remove = async () => {
    if (record) await api().verso.media.delete(record.id)
    say(t('media.deleted', { name: filename }))
    onDone()
  }
  if (isDeleting) {
    const text = count > 0 ? t('media.deleteUsed', { count }) : t('media.deleteUnused')
    const title = t('media.deleteNamed', { name: filename })
    return <Confirm title={title} text={text} submit={t('media.delete')} onConfirm={remove} onClose={() => setDeleting(false)} />
  }
  const removeButton = record && can('media:write') && (
    <button type="button" class="button quiet danger apart" onClick={() => setDeleting(true)}>
      {t('media.delete')}
    </button>
  )
  const facts = [
    width > 0 && `${formatNumber(width)} × ${formatNumber(height)}`,
    size > 0 && t('media.kilobytes', { size: Math.ceil(size / 1000) }),
  ]
  return (
    <Dialog title={record ? filename : t('media.new')} onClose={onClose}>
      <Picture url={url} alt={alt} />
      <p class="media-facts">
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <span>{facts.filter(Boolean).join(' · ') || t('media.unknown')}</span>
      </p>
      <Form submit={t(record ? 'media.save' : 'media.create')} aside={removeButton} onSubmit={save}>
        {(faultOf) => (
          <>
            <TextField
              label={t('media.alt')}
              name="alt"
              value={alt}
              hint={t('media.altHint')}
              faultOf={faultOf}
              rows={2}
              maxLength={2000}
            />
            <TextField label={t('media.filename')} name="filename" value={filename} faultOf={faultOf} required maxLength={255} />
            {!record && <TextField label={t('media.type')} name="mimeType" value={mimeType} faultOf={faultOf} required />}
          </>
        )}
      </Form>
      {count > 0 && (
        <section class="media-posts">
          <h3 class="label">{t('media.shownIn', { count })}</h3>
          {posts.value?.map(({ id, title }) => (
            <a key={id} href={screenPath('posts', id)}>
              {title}
            </a>
          ))}
        </section>
      )}
    </Dialog>
  )
}
