import { useState } from 'preact/hooks'
import { type Kind, listNamed, type Named } from '../../api/names.ts'
import { t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { PageHead, Row, Rows } from '../../ui/rows.tsx'
import { NameDialog } from './name-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

export const Authors = () => <Names kind="authors" />
export const Categories = () => <Names kind="categories" />
export const Tags = () => <Names kind="tags" />

/** More than one sees at once. */
const searchedFrom = 12

/** Authors, categories or tags: each opens by its name, and leads to its posts. */
function Names({ kind }: { readonly kind: Kind | 'tags' }) {
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<Named | 'new'>()
  const { value: all, error, reload } = useLoaded(kind, (stop) => listNamed(api(), kind, stop))
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    reload()
  }
  const canEdit = can(kind === 'tags' ? 'posts:publish' : `${kind}:write`)
  const create = kind !== 'tags' && canEdit ? { label: t(`names.new_${kind}`), run: () => setOpen('new') } : undefined
  const sought = typed.trim().toLocaleLowerCase()
  const found = all?.filter(({ name }) => name.toLocaleLowerCase().includes(sought))
  return (
    <>
      <PageHead title={t(`names.title_${kind}`)} create={create} />
      {all && all.length > searchedFrom && (
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={t(`names.search_${kind}`)}
            placeholder={t(`names.search_${kind}`)}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      <Rows
        label={t(`names.title_${kind}`)}
        list={{ value: found, error, reload }}
        none={t(sought ? 'names.noneFound' : `names.none_${kind}`)}
      >
        {found?.map((item) => (
          <Row
            key={item.id}
            name={item.name}
            about={['bio' in item ? item.bio : item.description]}
            onOpen={canEdit ? () => setOpen(item) : undefined}
          >
            <a class="row-side" href={`${screenPath('posts')}?${filterOf(kind, item)}`}>
              {t('names.posts', { count: item.postCount })}
            </a>
          </Row>
        ))}
      </Rows>
      {open && kind !== 'tags' && <NameDialog kind={kind} item={open} all={all ?? []} onClose={close} onDone={done} />}
      {open && open !== 'new' && kind === 'tags' && <TagDialog tag={open} onClose={close} onDone={done} onChanged={reload} />}
    </>
  )
}

const filterOf = (kind: Kind | 'tags', { id, slug }: Named) =>
  ({ authors: `author=${id}`, categories: `category=${slug}`, tags: `tag=${slug}` })[kind]
