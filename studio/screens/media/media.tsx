import { useState } from 'preact/hooks'
import { measure, postsShowing } from '../../api/media.ts'
import type { Media, MediaCreate } from '../../api/verso.ts'
import { formatNumber, t } from '../../i18n/catalogue.ts'
import { can, screenPath, verso } from '../../route/router.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { confirm, Form, FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { Dialog, say, show, useClose } from '../../ui/layers.tsx'
import { useLoaded, usePages } from '../../ui/loading.tsx'
import { PageHead, Rows, Search } from '../../ui/rows.tsx'

/** The pictures that are registered, the newest first. */
export function Screen() {
  const [search, setSearch] = useState('')
  const pages = usePages(search, (more, stop) => verso().media.list({ limit: 60, ...(search && { search }), ...more }, stop))
  const onDone = pages.reload
  const read = async (values: FormData) => {
    const found = await measure(new URL(textIn(values, 'url')).href)
    return <MediaDialog media={found} onDone={onDone} />
  }
  const create = () =>
    show(
      <FormDialog title={t('media.new')} submit={t('media.read')} onSubmit={read}>
        <TextField label={t('media.url')} name="url" type="url" hint={t('media.urlHint')} placeholder="https://" required autofocus />
      </FormDialog>,
    )
  return (
    <>
      <PageHead title={t('media.title')} create={can('media:write') ? { label: t('media.new'), run: create } : undefined} />
      <Search label={t('media.search')} value={search} onSearch={(typed) => setSearch(typed.trim())} />
      <Rows label={t('media.title')} list={pages} none={t(search ? 'media.noneFound' : 'media.none')} kind="media-grid">
        {(media) => (
          <li key={media.id}>
            <button type="button" class="media-card" onClick={() => show(<MediaDialog media={media} onDone={onDone} />)}>
              <Picture url={media.url} alt="" />
              <span class="media-name">{media.filename}</span>
              <span class="media-about">{media.alt || t('media.noAlt')}</span>
            </button>
          </li>
        )}
      </Rows>
    </>
  )
}

/** A picture, in front of what stands for one that cannot be loaded. */
function Picture({ url, alt }: { readonly url: string; readonly alt: string }) {
  const [isLost, setLost] = useState(false)
  return (
    <span class="media-picture">
      {isLost ? <Icon name="media" /> : <img src={url} alt={alt} loading="lazy" onError={() => setLost(true)} />}
    </span>
  )
}

/** A record, or what is going to be one. */
function MediaDialog({ media, onDone }: { readonly media: Media | MediaCreate; onDone(): void }) {
  const record = 'id' in media ? media : undefined
  const close = useClose()
  const { value: posts = [] } = useLoaded(record?.id, async (stop) => (record ? postsShowing(verso(), record, stop) : []))
  const { url, filename, mimeType, size, width, height, alt } = media
  const save = async (values: FormData) => {
    const fields = { filename: textIn(values, 'filename'), alt: textIn(values, 'alt') }
    if (record) await verso().media.update(record.id, fields, { ifMatch: record.version })
    else await verso().media.create({ ...media, ...fields, mimeType: textIn(values, 'mimeType') as typeof mimeType })
    say(t(record ? 'media.saved' : 'media.created', { name: fields.filename }))
    close()
    onDone()
  }
  const remove = () => {
    close()
    const text = posts.length > 0 ? t('media.deleteUsed', { count: posts.length }) : t('media.deleteUnused')
    const onConfirm = () =>
      verso()
        .media.delete(record?.id ?? '')
        .then(onDone)
    confirm({ deed: 'delete', name: filename, text, onConfirm })
  }
  const aside = record && can('media:write') && <Button kind="quiet danger apart" label={t('deeds.delete')} onClick={remove} />
  const facts = [
    width > 0 && `${formatNumber(width)} × ${formatNumber(height)}`,
    size > 0 && t('media.kilobytes', { size: Math.ceil(size / 1000) }),
  ]
  return (
    <Dialog title={record ? filename : t('media.new')}>
      <Picture url={url} alt={alt} />
      <p class="media-facts">
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <span>{facts.filter(Boolean).join(' · ') || t('media.unknown')}</span>
      </p>
      <Form submit={t(record ? 'media.save' : 'media.create')} aside={aside} onSubmit={save}>
        <TextField label={t('media.alt')} name="alt" value={alt} hint={t('media.altHint')} rows={2} maxLength={2000} />
        <TextField label={t('media.filename')} name="filename" value={filename} required maxLength={255} />
        {!record && <TextField label={t('media.type')} name="mimeType" value={mimeType} required />}
      </Form>
      {posts.length > 0 && (
        <section class="media-posts">
          <h3 class="label">{t('media.shownIn', { count: posts.length })}</h3>
          {posts.map(({ id, title }) => (
            <a key={id} href={screenPath('posts', id)}>
              {title}
            </a>
          ))}
        </section>
      )}
    </Dialog>
  )
}
