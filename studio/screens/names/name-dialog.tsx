import { useState } from 'preact/hooks'
import { type Author, type Category, Problem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { FormDialog, SelectField, TextField, textIn } from '../../ui/form.tsx'
import { Dialog, say, show, useClose } from '../../ui/layers.tsx'
import { ProblemPanel, useLoaded } from '../../ui/loading.tsx'

interface NameDialogProps {
  readonly kind: 'authors' | 'categories'
  /** None for a new one. */
  readonly id: string | undefined
  /** Every one of its kind, for its posts if it is deleted. */
  readonly all: readonly { readonly id: string; readonly name: string }[]
  onDone(): void
}

/** Creates an author or a category, or changes one. It is read anew first, with what lists leave out. */
export function NameDialog({ kind, id, all, onDone }: NameDialogProps) {
  const close = useClose()
  const read = useLoaded(id, (stop) => verso().request(`GET /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id ?? '' }, stop))
  const { value: item } = read
  const title = t(`names.${id ? 'edit' : 'new'}_${kind}`)
  if (id && !item) return <Dialog title={title}>{read.error ? <ProblemPanel error={read.error} retry={read.reload} /> : null}</Dialog>

  const change = (version: number, body: Fields) =>
    verso().request(`PATCH /v1/admin/${kind}/{idOrSlug}`, { idOrSlug: id ?? '', body }, { ifMatch: version })
  const save = async (values: FormData) => {
    const fields = fieldsIn(values, item)
    if (!item) {
      const { name } = await verso().request(`POST /v1/admin/${kind}`, { body: fields })
      say(t('names.created', { name }))
    } else {
      const { name, version } = await change(item.version, fields)
      const undo = async () => {
        await change(version, fieldsBefore(item))
        onDone()
      }
      if (version !== item.version) say(t('names.saved', { name }), undo)
    }
    onDone()
  }
  const remove = () => {
    close()
    if (item) show(<DeleteDialog kind={kind} item={item} all={all} onDone={onDone} />)
  }
  const author = item && 'bio' in item ? item : undefined
  const description = item && 'description' in item ? item.description : ''
  const slugHint = t(item ? 'names.slugHint' : 'names.slugHintNew')
  const form = { title, submit: t(item ? 'names.save' : 'names.create'), onSubmit: save }
  return (
    <FormDialog {...form} {...(item && { aside: <Button kind="quiet danger apart" label={t('names.delete')} onClick={remove} /> })}>
      <TextField label={t('names.name')} name="name" value={item?.name} maxLength={200} required autofocus />
      {kind === 'authors' ? (
        <>
          <TextField label={t('names.bio')} name="bio" value={author?.bio} rows={3} maxLength={10_000} />
          <TextField label={t('names.email')} name="email" type="email" value={author?.email} hint={t('names.emailHint')} />
          <TextField label={t('names.avatarUrl')} name="avatarUrl" type="url" value={author?.avatarUrl} placeholder="https://" />
        </>
      ) : (
        <TextField label={t('names.description')} name="description" value={description} rows={3} maxLength={1_000} />
      )}
      <TextField label={t('names.slug')} name="slug" value={item?.slug} maxLength={80} hint={slugHint} />
    </FormDialog>
  )
}

interface Fields {
  readonly name: string
  readonly slug?: string
}

/** What the form has; where nothing stood and nothing was written, nothing. */
function fieldsIn(values: FormData, item: Author | Category | undefined): Fields {
  const fields = ['description', 'bio', 'email', 'avatarUrl'].filter((field) => values.has(field))
  const texts = fields.map((field) => [field, textIn(values, field) || null])
  const slug = textIn(values, 'slug') || item?.slug
  return { name: textIn(values, 'name'), ...(slug && { slug }), ...Object.fromEntries(texts) }
}

function fieldsBefore(item: Author | Category): Fields {
  const { name, slug } = item
  if (!('bio' in item)) return { name, slug, ...{ description: item.description } }
  const { bio, email, avatarUrl } = item
  return { name, slug, ...{ bio, email, avatarUrl } }
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
    say(t('names.deleted', { name }))
    return onDone()
  }
  const text = count > 0 ? t(`names.used_${kind}`, { count }) : t(isInUse ? `names.usedInTrash_${kind}` : 'names.forGood')
  const options = [['', ''], ...others.map((each) => [each.id, each.name] as const)] as const
  return (
    <FormDialog title={t('names.deleteNamed', { name })} submit={t('names.delete')} kind="danger" onSubmit={remove}>
      <p>{isInUse && others.length === 0 ? t(`names.lastInUse_${kind}`) : text}</p>
      {isInUse && others.length > 0 && (
        <SelectField label={t(`names.reassign_${kind}`)} hint={t('names.forGood')} name="to" value="" options={options} required />
      )}
    </FormDialog>
  )
}
