import { useState } from 'preact/hooks'
import { type Author, type Category, everyItem, Problem, type Tag } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { address, can, screenPath, verso } from '../../route/router.ts'
import { saveEdit } from '../../ui/changing.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, SelectField, TextField, textIn, textsIn } from '../../ui/form.tsx'
import { Dialog, say, show, useClose } from '../../ui/layers.tsx'
import { Loaded, useLoaded } from '../../ui/loading.tsx'
import { PageHead, Row, Rows, Search } from '../../ui/rows.tsx'
import { TagDialog } from './tag-dialog.tsx'

const kinds = ['authors', 'categories', 'tags'] as const

/** More than one sees at once. */
const searchedFrom = 12
const filters = { authors: 'author', categories: 'category', tags: 'tag' }

/** Authors, categories or tags, as the address says: each opens by its name, and leads to its posts. */
export function Screen() {
  const kind = kinds.find((each) => each === address.value.parts[2]) ?? 'tags'
  const [typed, setTyped] = useState('')
  const sort = kind === 'tags' ? ({ sort: '-post_count' } as const) : {}
  const list = useLoaded(kind, (stop) =>
    everyItem<Author | Category | Tag>(verso().pages(`GET /v1/${kind}`, { ...sort, limit: 100, total: false }, stop)),
  )
  const { value: all = [], reload: onDone } = list
  const canEdit = can(kind === 'tags' ? 'posts:publish' : `${kind}:write`)
  const open = (item?: Author | Category | Tag) => {
    if (kind !== 'tags') show(<NameDialog kind={kind} id={item?.id} all={all} onDone={onDone} />)
    else if (item) show(<TagDialog tag={item} known={all.map(({ name }) => name)} onDone={onDone} />)
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

interface NameDialogProps {
  readonly kind: 'authors' | 'categories'
  /** None for a new one. */
  readonly id: string | undefined
  /** Every one of its kind, for its posts if it is deleted. */
  readonly all: readonly { readonly id: string; readonly name: string }[]
  onDone(): void
}

const name = { maxLength: 200, required: true, autofocus: true }
const url = { type: 'url', placeholder: 'https://' }
const fields: Readonly<Record<NameDialogProps['kind'], Readonly<Record<string, object>>>> = {
  authors: { name, bio: { rows: 3, maxLength: 10_000 }, email: { type: 'email' }, avatarUrl: url, slug: { maxLength: 80 } },
  categories: { name, description: { rows: 3, maxLength: 1_000 }, slug: { maxLength: 80 } },
}

/** Creates an author or a category, or changes one. It is read anew first, with what lists leave out. */
function NameDialog({ kind, id, all, onDone }: NameDialogProps) {
  const close = useClose()
  const read = useLoaded(id, (stop) => verso().request(`GET /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id ?? '' }, stop))
  const { value: item } = read
  const [typed, setTyped] = useState<string>()
  const title = t(`names.${id ? 'edit' : 'new'}_${kind}`)
  if (id && !item)
    return (
      <Dialog title={title}>
        <Loaded from={read}>{() => null}</Loaded>
      </Dialog>
    )
  const folded = typed?.trim().toLocaleLowerCase()
  const isTaken = all.some((each) => each.id !== id && each.name.toLocaleLowerCase() === folded)
  const save = async (values: FormData) => {
    const { slug, ...texts } = textsIn(values, Object.keys(fields[kind]))
    const body = { ...texts, name: textIn(values, 'name'), ...(slug && { slug }) }
    if (item) {
      const put = (edits: object, { version }: Author | Category) =>
        verso().request(`PATCH /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: item.id, body: edits }, { ifMatch: version })
      return saveEdit({ before: item, after: body, said: t('names.saved', body), put, onDone })
    }
    await verso().request(`POST /v1/admin/${kind}`, { body })
    say(t('names.created', body))
    onDone()
  }
  const remove = () => {
    close()
    if (item) show(<DeleteDialog kind={kind} item={item} all={all} onDone={onDone} />)
  }
  const aside = item && { aside: <Button kind="quiet danger apart" label={t('deeds.delete')} onClick={remove} /> }
  const texts: Readonly<Record<string, unknown>> = { ...item, ...(typed !== undefined && { name: typed }) }
  const hints: Readonly<Record<string, string>> = { email: t('names.emailHint'), slug: t(item ? 'names.slugHint' : 'names.slugHintNew') }
  return (
    <FormDialog title={title} submit={t(item ? 'names.save' : 'names.create')} onSubmit={save} {...aside}>
      {Object.entries(fields[kind]).map(([field, attributes]) => (
        <TextField
          key={field}
          label={t(`names.${field as 'name'}`)}
          name={field}
          value={texts[field] as string}
          hint={hints[field]}
          {...attributes}
          {...(field === 'name' && { onInput: setTyped, hint: isTaken && t('names.taken') })}
        />
      ))}
    </FormDialog>
  )
}

type DeleteDialogProps = Omit<NameDialogProps, 'id'> & { readonly item: Author | Category }

/** Posts that name it get another. Those in the trash count, too: only the answer tells of them. */
function DeleteDialog({ kind, item: { id, name, postCount: count }, all, onDone }: DeleteDialogProps) {
  const [isInUse, setInUse] = useState(count > 0)
  const others = all.filter((each) => each.id !== id)
  const remove = async (values: FormData) => {
    const to = textIn(values, 'to')
    try {
      await verso().request(`DELETE /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id, ...(to && { reassign_to: to }) })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'in_use' || isInUse) throw error
      setInUse(true)
      return false
    }
    say(t('deeds.deleteDone', { name }))
    return onDone()
  }
  const isAlone = isInUse && others.length === 0
  const text = count > 0 ? t(`names.used_${kind}`, { count }) : t(isInUse ? `names.usedInTrash_${kind}` : 'names.forGood')
  const options = [['', ''], ...others.map((each) => [each.id, each.name] as const)] as const
  return (
    <FormDialog title={t('deeds.deleteOne', { name })} submit={t('deeds.delete')} kind="danger" onSubmit={remove}>
      <p>{isAlone ? t(`names.lastInUse_${kind}`) : text}</p>
      {isInUse && !isAlone && (
        <SelectField label={t(`names.reassign_${kind}`)} hint={t('names.forGood')} name="to" value="" options={options} required />
      )}
    </FormDialog>
  )
}
