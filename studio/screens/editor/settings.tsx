import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { serviceUrl } from '../../api/address.ts'
import type { EditFields, FieldName } from '../../api/edits.ts'
import { addressOf, listChoices, statuses } from '../../api/posts.ts'
import type { Post } from '../../api/verso.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { navigate, screenPath, verso } from '../../route/router.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { Field, type Option, SelectField, TextField } from '../../ui/form.tsx'
import { attempt, say, show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { copyText, ShownOnce } from '../../ui/shown-once.tsx'
import { useSite } from '../../ui/time-field.tsx'
import type { Draft } from './saving/draft.ts'

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

const namesIn = (text: string) => text.split(',').map((name) => name.trim())
const isSame = (tag: string, other: string) => tag.toLocaleLowerCase() === other.toLocaleLowerCase()

/** Tags as words: Enter or a comma adds one, Backspace takes the last away. Names that are known are completed, others are made. */
function TagInput({ draft, known }: { readonly draft: Draft; readonly known: readonly string[] }) {
  const [typed, setTyped] = useState('')
  const list = useId()
  const { tags } = draft.fields.value
  const offered = known.filter((name) => !tags.includes(name))
  const change = (to: readonly string[]) => draft.change({ tags: to })
  const add = (names: readonly string[]) => {
    const fresh = names.filter((name) => name !== '' && !tags.some((tag) => isSame(tag, name)))
    if (fresh.length > 0) change([...tags, ...fresh])
    setTyped('')
  }
  const type = (event: InputEvent & { readonly currentTarget: HTMLInputElement }) => {
    const text = event.currentTarget.value
    // What is chosen from the list comes whole. All else is typing, such as on a phone or by Backspace.
    const isChosen = (event.inputType ?? 'insertReplacementText') === 'insertReplacementText' && known.includes(text)
    if (isChosen) add([text])
    else if (text.includes(',')) add(namesIn(text))
    else setTyped(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '') change(tags.slice(0, -1))
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    add(namesIn(typed))
  }
  const empty = { type: 'text', autocomplete: 'off', placeholder: tags.length === 0 ? t('editor.addTags') : '' } as const
  return (
    <Field label={t('editor.field_tags')} error={draft.faults.value.tags}>
      {(control) => (
        <div class="tags">
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
              <button type="button" aria-label={t('editor.removeTag', { tag })} onClick={() => change(tags.filter((each) => each !== tag))}>
                <Icon name="close" />
              </button>
            </span>
          ))}
          <input {...control} {...empty} list={list} value={typed} onInput={type} onKeyDown={press} onBlur={() => add(namesIn(typed))} />
          <datalist id={list}>
            {offered.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      )}
    </Field>
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
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
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

/** Who can see the post, and links that show it before it is public. */
function Sharing({ post: { id, version }, address }: { readonly post: Post; readonly address: string | undefined }) {
  const { value: visibility } = useLoaded(`${id} ${version}`, (stop) =>
    verso().request('GET /v1/posts/{idOrSlug}/visibility', { idOrSlug: id }, stop),
  )
  const links = useLoaded(id, (stop) =>
    verso().request('GET /v1/posts/{idOrSlug}/preview-tokens', { idOrSlug: id, limit: 100, total: false }, stop),
  )
  const copy = async () => {
    const { token } = await verso().posts.createPreviewToken(id)
    // A site that shows previews reads the token from its own address; without one, the API itself answers.
    const link = new URL(address ?? new URL(`v1/posts/${id}`, serviceUrl))
    link.searchParams.set('preview_token', token)
    links.reload()
    const isCopied = await copyText(link.href)
    if (isCopied) say(t('editor.linkCopied'))
    else show(<ShownOnce title={t('editor.link')} label={t('editor.link')} secret={link.href} note={t('editor.linkWorks')} />)
  }
  const revoke = async (tokenId: string) => {
    await verso().request('DELETE /v1/posts/{idOrSlug}/preview-tokens/{tokenId}', { idOrSlug: id, tokenId })
    links.reload()
  }
  const rule = statuses.find((each) => each === visibility?.rule)
  return (
    <>
      <p class="note">{rule ? t(`editor.visible_${rule}`) : visibility?.detail}</p>
      <Button label={t('editor.makeLink')} onClick={() => attempt(copy)} />
      <ul class="links">
        {links.value?.data.map((link) => (
          <li key={link.id}>
            <span class="note">{t('editor.linkUntil', { date: formatDate(link.expiresAt) })}</span>
            <Button kind="quiet" label={t('editor.revoke')} onClick={() => attempt(() => revoke(link.id))} />
          </li>
        ))}
      </ul>
    </>
  )
}
