import { useState } from 'preact/hooks'
import { listMedia, measure } from '../../api/media.ts'
import type { MediaCreate, Media as MediaRecord } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { api, can } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, TextField, textIn } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemPanel } from '../../ui/problem.tsx'
import { PageHead } from '../../ui/rows.tsx'
import { usePages } from '../../ui/use-pages.ts'
import { MediaDialog, Picture } from './media-dialog.tsx'

/** The pictures that are registered, the newest first. */
export function Media() {
  const [search, setSearch] = useState('')
  const pages = usePages(search, (options) => listMedia(api(), search.trim(), options))
  const [open, setOpen] = useState<MediaRecord | MediaCreate | 'new'>()
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    pages.reload()
  }
  const { items, isLoading, error } = pages
  return (
    <>
      <PageHead title={t('media.title')} create={can('media:write') ? { label: t('media.new'), run: () => setOpen('new') } : undefined} />
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t('media.search')}
          placeholder={t('media.search')}
          maxLength={200}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </label>
      {error ? (
        <ProblemPanel error={error} retry={pages.reload} />
      ) : (
        <ul class="media-grid" aria-busy={isLoading} aria-label={t('media.title')}>
          {items.map((media) => (
            <li key={media.id}>
              <button type="button" class="media-card" onClick={() => setOpen(media)}>
                <Picture url={media.url} alt="" />
                <span class="media-name">{media.filename}</span>
                <span class="media-about">{media.alt || t('media.noAlt')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isLoading && !error && items.length === 0 && <p class="empty">{t(search ? 'media.noneFound' : 'media.none')}</p>}
      <div class="list-end" ref={pages.end} />
      {open === 'new' && (
        <Dialog title={t('media.new')} onClose={close}>
          <Form submit={t('media.read')} onSubmit={async (values) => setOpen(await measure(new URL(textIn(values, 'url')).href))}>
            <TextField label={t('media.url')} name="url" type="url" hint={t('media.urlHint')} placeholder="https://" required autofocus />
          </Form>
        </Dialog>
      )}
      {open && open !== 'new' && <MediaDialog media={open} onClose={close} onDone={done} />}
    </>
  )
}
