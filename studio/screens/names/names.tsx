import { useState } from 'preact/hooks'
import { type Author, type Category, everyItem, type Tag } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { can, screenPath, verso } from '../../route/router.ts'
import { show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { PageHead, Row, Rows, Search } from '../../ui/rows.tsx'
import { NameDialog } from './name-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

export const screens = {
  authors: () => <Names kind="authors" />,
  categories: () => <Names kind="categories" />,
  tags: () => <Names kind="tags" />,
}

/** More than one sees at once. */
const searchedFrom = 12
const filters = { authors: 'author', categories: 'category', tags: 'tag' }

/** Authors, categories or tags: each opens by its name, and leads to its posts. */
function Names({ kind }: { readonly kind: keyof typeof screens }) {
  const [typed, setTyped] = useState('')
  const sort = kind === 'tags' ? ({ sort: '-post_count' } as const) : {}
  const list = useLoaded(kind, (stop) =>
    everyItem<Author | Category | Tag>(verso().pages(`GET /v1/${kind}`, { ...sort, limit: 100, total: false }, stop)),
  )
  const { value: all = [], reload: onDone } = list
  const canEdit = can(kind === 'tags' ? 'posts:publish' : `${kind}:write`)
  const open = (item?: Author | Category | Tag) => {
    if (kind !== 'tags') show(<NameDialog kind={kind} id={item?.id} all={all} onDone={onDone} />)
    else if (item) show(<TagDialog tag={item} onDone={onDone} />)
  }
  const title = t(`names.title_${kind}`)
  const create = kind !== 'tags' && canEdit ? { label: t(`names.new_${kind}`), run: () => open() } : undefined
  const sought = typed.trim().toLocaleLowerCase()
  const found = { ...list, value: list.value?.filter(({ name }) => name.toLocaleLowerCase().includes(sought)) }
  return (
    <>
      <PageHead title={title} create={create} />
      {all.length > searchedFrom && <Search label={t(`names.search_${kind}`)} value={typed} onSearch={setTyped} />}
      <Rows label={title} list={found} none={t(sought ? 'names.noneFound' : `names.none_${kind}`)}>
        {(item) => (
          <Row key={item.id} name={item.name} about={['bio' in item ? item.bio : item.description]} onOpen={canEdit && (() => open(item))}>
            <a href={`${screenPath('posts')}?${filters[kind]}=${kind === 'authors' ? item.id : item.slug}`}>
              {t('names.posts', { count: item.postCount })}
            </a>
          </Row>
        )}
      </Rows>
    </>
  )
}
