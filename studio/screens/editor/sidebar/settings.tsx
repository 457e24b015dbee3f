import type { ComponentChildren } from 'preact'
import type { EditFields, FieldName } from '../../../api/edits.ts'
import { addressOf, readProject } from '../../../api/project.ts'
import { listAuthors, listCategories, listTags } from '../../../api/references.ts'
import { t } from '../../../i18n/catalogue.ts'
import { api } from '../../../route/project.ts'
import { Field } from '../../../ui/field.tsx'
import { useLoaded } from '../../../ui/loading.ts'
import type { Draft } from '../saving/draft.ts'
import { CardPreview, SearchPreview } from './seo-previews.tsx'
import { Sharing } from './sharing.tsx'
import { TagInput } from './tag-input.tsx'

const maxExcerpt = 1_000
const orNull = (text: string) => (text.trim() === '' ? null : text)

/** All of a post but its title and its text. */
export function Settings({ draft }: { readonly draft: Draft }) {
  const fields = draft.fields.value
  const faults = draft.faults.value
  const choices = useLoaded('choices', async (stop) => {
    const [authors, categories, tags, project] = await Promise.all([
      listAuthors(api(), stop),
      listCategories(api(), stop),
      listTags(api(), stop),
      readProject(api(), stop),
    ])
    return { authors, categories, tags, project }
  })
  const { authors = [], categories = [], tags = [], project } = choices.value ?? {}
  const post = draft.post.value
  const category = categories.find(({ id }) => id === fields.categoryId) ?? null
  const address = project && post && addressOf(project, { ...post, slug: fields.slug, category })
  const seo = (values: Partial<EditFields['seo']>) => draft.change({ seo: { ...fields.seo, ...values } })
  const choose = (name: 'authorId' | 'categoryId', options: readonly { readonly id: string; readonly name: string }[]) => (
    <Field label={t(`editor.field_${name}`)} error={faults[name]}>
      {(control) => (
        <select {...control} value={fields[name] ?? ''} onChange={(event) => draft.change({ [name]: orNull(event.currentTarget.value) })}>
          <option value="">{t('editor.none')}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  return (
    <div class="settings">
      <Field label={t('editor.field_slug')} error={faults.slug} hint={<SlugNote draft={draft} address={address} />}>
        {(control) => (
          <input
            {...control}
            type="text"
            spellcheck={false}
            autocapitalize="off"
            maxLength={80}
            value={fields.slug}
            onChange={(event) => draft.change({ slug: event.currentTarget.value.trim() })}
          />
        )}
      </Field>
      {choose('authorId', authors)}
      {choose('categoryId', categories)}
      <TagInput
        value={fields.tags}
        known={tags.map(({ name }) => name)}
        error={faults.tags}
        onChange={(chosen) => draft.change({ tags: chosen })}
      />
      <Field label={t('editor.field_excerpt')} error={faults.excerpt}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={maxExcerpt}
            value={fields.excerpt ?? ''}
            onInput={(event) => draft.change({ excerpt: orNull(event.currentTarget.value) })}
          />
        )}
      </Field>
      <Group title={t('editor.search')} name="seo" faults={faults}>
        <TextField label={t('editor.seoTitle')} value={fields.seo.title} max={300} onChange={(title) => seo({ title })} />
        <TextField
          label={t('editor.seoDescription')}
          value={fields.seo.description}
          max={1_000}
          rows={3}
          onChange={(description) => seo({ description })}
        />
        <TextField label={t('editor.seoImage')} value={fields.seo.ogImage} max={2_048} onChange={(ogImage) => seo({ ogImage })} />
        <TextField
          label={t('editor.seoCanonical')}
          value={fields.seo.canonicalUrl}
          max={2_048}
          onChange={(canonicalUrl) => seo({ canonicalUrl })}
        />
        <SearchPreview fields={fields} address={address} />
        <CardPreview fields={fields} address={address} />
      </Group>
      <Group title={t('editor.field_aliases')} name="aliases" faults={faults}>
        <TextField
          label={t('editor.aliasesHint')}
          value={fields.aliases.join('\n')}
          max={100_000}
          rows={3}
          onChange={(text) =>
            draft.change({
              aliases: (text ?? '')
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean),
            })
          }
        />
      </Group>
      {post && (
        <Group title={t('editor.sharing')}>
          <Sharing post={post} address={address} />
        </Group>
      )}
    </div>
  )
}

/** What a change of the slug means: the old address goes on leading here. */
function SlugNote({ draft, address }: { readonly draft: Draft; readonly address: string | undefined }) {
  const post = draft.post.value
  const isMoved = post?.status === 'published' && post.slug !== draft.fields.value.slug
  return (
    <>
      {address}
      {isMoved && <div>{t('editor.slugMoved', { slug: post.slug })}</div>}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly name?: FieldName
  readonly faults?: Readonly<Partial<Record<FieldName, string>>>
  readonly children: ComponentChildren
}

/** What one needs now and then. */
function Group({ title, name, faults = {}, children }: GroupProps) {
  const fault = name && faults[name]
  return (
    <details open={fault !== undefined}>
      <summary>{title}</summary>
      <div class="settings-group">
        {fault && <p class="note error">{fault}</p>}
        {children}
      </div>
    </details>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string | null
  readonly max: number
  readonly rows?: number
  onChange(text: string | null): void
}

function TextField({ label, value, max, rows, onChange }: TextFieldProps) {
  return (
    <Field label={label}>
      {(control) =>
        rows ? (
          <textarea
            {...control}
            rows={rows}
            maxLength={max}
            value={value ?? ''}
            onChange={(event) => onChange(orNull(event.currentTarget.value))}
          />
        ) : (
          <input
            {...control}
            type="text"
            maxLength={max}
            value={value ?? ''}
            onChange={(event) => onChange(orNull(event.currentTarget.value))}
          />
        )
      }
    </Field>
  )
}
