import { useMemo, useState } from 'preact/hooks'
import { type Kind, listNamed, type Named } from '../../api/names.ts'
import { t } from '../../i18n/catalogue.ts'
import { api, can, screenPath } from '../../route/project.ts'
import { useCommands } from '../../ui/commands.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { NameDialog } from './name-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

export const Authors = () => <Names kind="authors" />
export const Categories = () => <Names kind="categories" />
export const Tags = () => <Names kind="tags" />

/** More than one sees at once. */
const searchedFrom = 12

const isKind = (kind: Kind | 'tags'): kind is Kind => kind !== 'tags'

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
  const canEdit = isKind(kind) ? can(`${kind}:write`) : can('posts:publish')
  const title = t(`names.title_${kind}`)
  useCommands(
    useMemo(
      () => (isKind(kind) && canEdit ? [{ title: t(`names.new_${kind}`), keys: 'n', run: () => setOpen('new') }] : []),
      [kind, canEdit],
    ),
  )
  const sought = typed.trim().toLocaleLowerCase()
  const found = all?.filter(({ name }) => name.toLocaleLowerCase().includes(sought)) ?? []
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        {isKind(kind) && canEdit && (
          <button type="button" class="button primary" onClick={() => setOpen('new')}>
            <Icon name="plus" />
            {t(`names.new_${kind}`)}
          </button>
        )}
      </header>
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
      {error !== undefined && <ProblemPanel error={error} retry={reload} />}
      <ul class="rows" aria-label={title}>
        {found.map((item) => (
          <NameRow key={item.id} kind={kind} item={item} onOpen={canEdit ? () => setOpen(item) : undefined} />
        ))}
      </ul>
      {all && found.length === 0 && (
        <div class="empty">
          <p>{t(sought ? 'names.noneFound' : `names.none_${kind}`)}</p>
        </div>
      )}
      {open && isKind(kind) && <NameDialog kind={kind} item={open} all={all ?? []} onClose={close} onDone={done} />}
      {open && open !== 'new' && !isKind(kind) && <TagDialog tag={open} onClose={close} onDone={done} onChanged={reload} />}
    </>
  )
}

interface NameRowProps {
  readonly kind: Kind | 'tags'
  readonly item: Named
  readonly onOpen: (() => void) | undefined
}

function NameRow({ kind, item, onOpen }: NameRowProps) {
  const { id, slug, name, postCount } = item
  const about = 'bio' in item ? item.bio : item.description
  const filter = { authors: `author=${id}`, categories: `category=${slug}`, tags: `tag=${slug}` }[kind]
  return (
    <li>
      <div class="row-what">
        {onOpen ? (
          <button type="button" class="row-name row-open" onClick={onOpen}>
            {name}
          </button>
        ) : (
          <span class="row-name">{name}</span>
        )}
        {about && <span class="row-about">{about}</span>}
      </div>
      <a class="row-side" href={`${screenPath('posts')}?${filter}`}>
        {t('names.posts', { count: postCount })}
      </a>
    </li>
  )
}
