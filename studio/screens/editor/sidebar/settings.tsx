import type { ComponentChildren } from 'preact'
import type { EditFields, FieldName } from '../../../api/edits.ts'
import { addressOf, listChoices } from '../../../api/posts.ts'
import { t } from '../../../i18n/catalogue.ts'
import { navigate, screenPath, verso } from '../../../route/router.ts'
import { Button } from '../../../ui/controls.tsx'
import { type Option, SelectField, TextField } from '../../../ui/form.tsx'
import { useLoaded } from '../../../ui/loading.tsx'
import { useSite } from '../../../ui/time-field.tsx'
import type { Draft } from '../saving/draft.ts'
import { Sharing } from './sharing.tsx'
import { TagInput } from './tag-input.tsx'

const orNull = (text: string) => (text.trim() === '' ? null : text)
const lengths = { title: 300, description: 1_000, ogImage: 2_048, canonicalUrl: 2_048 } as const

/** All of a post but its title and its text. */
export function Settings({ draft }: { readonly draft: Draft }) {
  const [fields, faults, post] = [draft.fields.value, draft.faults.value, draft.post.value]
  const site = useSite()
  const { value: choices } = useLoaded('choices', (stop) => listChoices(verso(), stop))
  const category = choices?.categories.find(({ id }) => id === fields.categoryId) ?? null
  const address = site && post && addressOf(site, { ...post, slug: fields.slug, category })
  const isMoved = draft.isPublic.value && post?.slug !== fields.slug
  const shared = (name: FieldName) => ({ label: t(`editor.field_${name}`), error: faults[name] })
  const choose = (name: 'authorId' | 'categoryId', offered: readonly { readonly id: string; readonly name: string }[] = []) => {
    const options: readonly Option[] = [['', t('editor.none')], ...offered.map((each): Option => [each.id, each.name])]
    const change = (id: string) => draft.change({ [name]: orNull(id) })
    return <SelectField {...shared(name)} value={fields[name] ?? ''} options={options} onChange={change} />
  }
  const seo = (name: keyof EditFields['seo'], label: string, rows = 0) => {
    const change = (text: string) => draft.change({ seo: { ...fields.seo, [name]: orNull(text) } })
    return <TextField label={label} value={fields.seo[name]} maxLength={lengths[name]} rows={rows} onInput={change} />
  }
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  return (
    <div class="settings">
      <TextField
        {...shared('slug')}
        // The old address goes on leading here.
        hint={[address, isMoved && <div>{t('editor.slugMoved', { slug: post?.slug ?? '' })}</div>]}
        spellcheck={false}
        maxLength={80}
        value={fields.slug}
        onChange={(slug) => draft.change({ slug: slug.trim() })}
      />
      {choose('authorId', choices?.authors)}
      {choose('categoryId', choices?.categories)}
      <TagInput draft={draft} known={choices?.tags.map(({ name }) => name) ?? []} />
      <TextField
        {...shared('excerpt')}
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
        <Previews fields={fields} address={address} />
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

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length).trimEnd()}…` : text)
const plain = (markdown: string) =>
  markdown
    .slice(0, 600)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[#>*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** About as search engines show it, and as it is shown where somebody shares it. */
function Previews({ fields, address }: { readonly fields: EditFields; readonly address: string | undefined }) {
  const { seo, slug, excerpt, content } = fields
  const title = seo.title ?? fields.title
  const description = seo.description ?? excerpt ?? plain(content)
  return (
    <>
      <figure class="seo-search">
        <figcaption class="label">{t('editor.searchPreview')}</figcaption>
        <span class="note">{address ?? slug}</span>
        <strong>{cut(title, 60)}</strong>
        <span>{cut(description, 155)}</span>
      </figure>
      <figure class="seo-card">
        <figcaption class="label">{t('editor.cardPreview')}</figcaption>
        <div>
          {seo.ogImage && /^https?:\/\//.test(seo.ogImage) && <img src={seo.ogImage} alt="" referrerpolicy="no-referrer" />}
          <strong>{cut(title, 70)}</strong>
          <span>{cut(description, 100)}</span>
          <span class="note">{address ? new URL(address).host : ''}</span>
        </div>
      </figure>
    </>
  )
}
