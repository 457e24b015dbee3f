import type { ComponentChildren } from 'preact'
import type { EditFields } from '../../../api/edits.ts'
import { addressOf, listChoices } from '../../../api/posts.ts'
import { t } from '../../../i18n/catalogue.ts'
import { navigate, screenPath, verso } from '../../../route/router.ts'
import { Button } from '../../../ui/controls.tsx'
import { type Option, SelectField, TextField } from '../../../ui/form.tsx'
import { useLoaded } from '../../../ui/loading.tsx'
import type { Draft } from '../saving/draft.ts'
import { Sharing } from './sharing.tsx'
import { TagInput } from './tag-input.tsx'

const orNull = (text: string) => (text.trim() === '' ? null : text)
const lengths = { title: 300, description: 1_000, ogImage: 2_048, canonicalUrl: 2_048 } as const

/** All of a post but its title and its text. */
export function Settings({ draft }: { readonly draft: Draft }) {
  const [fields, faults, post] = [draft.fields.value, draft.faults.value, draft.post.value]
  const { value: choices } = useLoaded('choices', async (stop) => {
    const [offered, project] = await Promise.all([listChoices(verso(), stop), verso().request('GET /v1/project', {}, stop)])
    return { ...offered, project }
  })
  const category = choices?.categories.find(({ id }) => id === fields.categoryId) ?? null
  const address = choices && post && addressOf(choices.project, { ...post, slug: fields.slug, category })
  const choose = (name: 'authorId' | 'categoryId', offered: readonly { readonly id: string; readonly name: string }[] = []) => {
    const options: readonly Option[] = [['', t('editor.none')], ...offered.map((each): Option => [each.id, each.name])]
    return (
      <SelectField
        label={t(`editor.field_${name}`)}
        error={faults[name]}
        value={fields[name] ?? ''}
        options={options}
        onChange={(id) => draft.change({ [name]: orNull(id) })}
      />
    )
  }
  const seo = (name: keyof EditFields['seo'], label: string, rows?: number) => (
    <TextField
      label={label}
      value={fields.seo[name]}
      maxLength={lengths[name]}
      {...(rows && { rows })}
      onInput={(text) => draft.change({ seo: { ...fields.seo, [name]: orNull(text) } })}
    />
  )
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  return (
    <div class="settings">
      <TextField
        label={t('editor.field_slug')}
        error={faults.slug}
        hint={<SlugNote draft={draft} address={address} />}
        spellcheck={false}
        maxLength={80}
        value={fields.slug}
        onChange={(slug) => draft.change({ slug: slug.trim() })}
      />
      {choose('authorId', choices?.authors)}
      {choose('categoryId', choices?.categories)}
      <TagInput
        value={fields.tags}
        known={choices?.tags.map(({ name }) => name) ?? []}
        error={faults.tags}
        onChange={(tags) => draft.change({ tags })}
      />
      <TextField
        label={t('editor.field_excerpt')}
        error={faults.excerpt}
        rows={3}
        maxLength={1_000}
        value={fields.excerpt}
        onInput={(text) => draft.change({ excerpt: orNull(text) })}
      />
      <Group title={t('editor.search')} fault={faults.seo}>
        {seo('title', t('editor.seoTitle'))}
        {seo('description', t('editor.seoDescription'), 3)}
        {seo('ogImage', t('editor.seoImage'))}
        {seo('canonicalUrl', t('editor.seoCanonical'))}
        <SearchPreview fields={fields} address={address} />
        <CardPreview fields={fields} address={address} />
      </Group>
      <Group title={t('editor.field_aliases')} fault={faults.aliases}>
        <TextField
          label={t('editor.aliasesHint')}
          rows={3}
          value={fields.aliases.join('\n')}
          onChange={(text) => draft.change({ aliases: linesOf(text).filter(Boolean) })}
        />
      </Group>
      {post && (
        <Group title={t('editor.sharing')}>
          <Sharing post={post} address={address} />
        </Group>
      )}
      {post && <Button label={t('history.title')} onClick={() => navigate(screenPath('posts', post.id, 'history'))} />}
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
  readonly fault?: string | undefined
  readonly children: ComponentChildren
}

/** What one needs now and then. */
function Group({ title, fault, children }: GroupProps) {
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

interface SeoPreviewProps {
  readonly fields: EditFields
  readonly address: string | undefined
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).trimEnd()}…` : text)
const plain = (markdown: string) =>
  markdown
    .slice(0, 600)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[#>*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const titleOf = ({ seo, title }: EditFields) => seo.title ?? title
const descriptionOf = ({ seo, excerpt, content }: EditFields) => seo.description ?? excerpt ?? plain(content)

/** About as a search engine shows it. */
export function SearchPreview({ fields, address }: SeoPreviewProps) {
  return (
    <figure class="seo-search">
      <figcaption class="label">{t('editor.searchPreview')}</figcaption>
      <span class="seo-address">{address ?? fields.slug}</span>
      <strong>{cut(titleOf(fields), 60)}</strong>
      <span>{cut(descriptionOf(fields), 155)}</span>
    </figure>
  )
}

/** About as it is shown where somebody shares it. */
export function CardPreview({ fields, address }: SeoPreviewProps) {
  const image = fields.seo.ogImage
  return (
    <figure class="seo-card">
      <figcaption class="label">{t('editor.cardPreview')}</figcaption>
      <div>
        {image && /^https?:\/\//.test(image) && <img src={image} alt="" referrerpolicy="no-referrer" />}
        <strong>{cut(titleOf(fields), 70)}</strong>
        <span>{cut(descriptionOf(fields), 100)}</span>
        <span class="seo-address">{address ? new URL(address).host : ''}</span>
      </div>
    </figure>
  )
}
