import { useState } from 'preact/hooks'
import { changeNamed, createNamed, deleteNamed, type Kind, type Named, type NameEdits, readNamed } from '../../api/names.ts'
import { type Author, type Category, Problem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { CancelButton, Form, TextField, textIn } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { say } from '../../ui/toasts.tsx'

interface NameDialogProps {
  readonly kind: Kind
  readonly item: Named | 'new'
  /** Every one of its kind, for its posts if it is deleted. */
  readonly all: readonly Named[]
  onClose(): void
  onDone(): void
}

/** Creates an author or a category, or changes one. It is read anew first, with what lists leave out. */
export function NameDialog({ kind, item, all, onClose, onDone }: NameDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const id = item === 'new' ? undefined : item.id
  const read = useLoaded(id ?? '', async (stop) => (id ? { found: await readNamed(api(), kind, id, stop) } : { found: undefined }))
  const title = t(`names.${id ? 'edit' : 'new'}_${kind}`)
  const { found } = read.value ?? {}
  if (isDeleting && found) return <DeleteDialog kind={kind} item={found} all={all} onClose={onClose} onDone={onDone} />
  return (
    <Dialog title={title} onClose={onClose}>
      {read.error ? <ProblemPanel error={read.error} retry={read.reload} /> : null}
      {read.value && <NameForm kind={kind} item={found} onDelete={() => setDeleting(true)} onClose={onClose} onDone={onDone} />}
    </Dialog>
  )
}

interface NameFormProps extends Pick<NameDialogProps, 'kind' | 'onClose' | 'onDone'> {
  readonly item: Author | Category | undefined
  onDelete(): void
}

function NameForm({ kind, item, onDelete, onClose, onDone }: NameFormProps) {
  const save = async (values: FormData) => {
    const edits = editsIn(values, item)
    if (!item) {
      const { name } = await createNamed(api(), kind, edits)
      say(t('names.created', { name }))
    } else {
      const after = await changeNamed(api(), kind, item, edits)
      const undo = async () => {
        await changeNamed(api(), kind, after, before(item))
        onDone()
      }
      if (after.version !== item.version) say(t('names.saved', { name: after.name }), undo)
    }
    onDone()
  }
  const aside = item ? (
    <button type="button" class="button quiet danger apart" onClick={onDelete}>
      {t('names.delete')}
    </button>
  ) : (
    <CancelButton onClose={onClose} />
  )
  const author = item && 'bio' in item ? item : undefined
  return (
    <Form submit={t(item ? 'names.save' : 'names.create')} aside={aside} onSubmit={save}>
      {(faultOf) => (
        <>
          <TextField label={t('names.name')} name="name" value={item?.name} maxLength={200} required autofocus faultOf={faultOf} />
          {kind === 'authors' ? (
            <>
              <TextField label={t('names.bio')} name="bio" value={author?.bio} rows={3} maxLength={10_000} faultOf={faultOf} />
              <TextField
                label={t('names.email')}
                name="email"
                type="email"
                value={author?.email}
                hint={t('names.emailHint')}
                faultOf={faultOf}
              />
              <TextField
                label={t('names.avatarUrl')}
                name="avatarUrl"
                type="url"
                value={author?.avatarUrl}
                placeholder="https://"
                faultOf={faultOf}
              />
            </>
          ) : (
            <TextField
              label={t('names.description')}
              name="description"
              value={item && 'description' in item ? item.description : ''}
              rows={3}
              maxLength={1_000}
              faultOf={faultOf}
            />
          )}
          <TextField
            label={t('names.slug')}
            name="slug"
            value={item?.slug}
            maxLength={80}
            hint={t(item ? 'names.slugHint' : 'names.slugHintNew')}
            faultOf={faultOf}
          />
        </>
      )}
    </Form>
  )
}

/** What the form has; where nothing stood and nothing was written, nothing. */
function editsIn(values: FormData, item: Author | Category | undefined): NameEdits {
  const fields = ['description', 'bio', 'email', 'avatarUrl'].filter((field) => values.has(field))
  const texts = fields.map((field) => [field, textIn(values, field) || null])
  const slug = textIn(values, 'slug') || item?.slug
  return { name: textIn(values, 'name'), ...(slug && { slug }), ...Object.fromEntries(texts) }
}

function before(item: Author | Category): NameEdits {
  const { name, slug } = item
  return 'bio' in item
    ? { name, slug, bio: item.bio, email: item.email, avatarUrl: item.avatarUrl }
    : { name, slug, description: item.description }
}

interface DeleteDialogProps extends Omit<NameDialogProps, 'item'> {
  readonly item: Author | Category
}

/** Posts that name it get another. Those in the trash count, too: only the answer tells of them. */
function DeleteDialog({ kind, item, all, onClose, onDone }: DeleteDialogProps) {
  const [isInUse, setInUse] = useState(item.postCount > 0)
  const others = all.filter(({ id }) => id !== item.id)
  const remove = async (values: FormData) => {
    try {
      await deleteNamed(api(), kind, item.id, textIn(values, 'to') || undefined)
    } catch (error) {
      if (error instanceof Problem && error.code === 'in_use' && !isInUse) return setInUse(true)
      throw error
    }
    say(t('names.deleted', { name: item.name }))
    onDone()
  }
  const count = item.postCount
  const text = count > 0 ? t(`names.used_${kind}`, { count }) : t(isInUse ? `names.usedInTrash_${kind}` : 'names.forGood')
  return (
    <Dialog title={t('names.deleteNamed', { name: item.name })} onClose={onClose}>
      <Form submit={t('names.delete')} isDanger aside={<CancelButton onClose={onClose} />} onSubmit={remove}>
        <p>{isInUse && others.length === 0 ? t(`names.lastInUse_${kind}`) : text}</p>
        {isInUse && others.length > 0 && (
          <Field label={t(`names.reassign_${kind}`)} hint={t('names.forGood')}>
            {(control) => (
              <select {...control} name="to" required>
                <option value="" />
                {others.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </Form>
    </Dialog>
  )
}
