import { useState } from 'preact/hooks'
import { serviceUrl } from '../../api/address.ts'
import { addressOf } from '../../api/posts.ts'
import type { Post, ProjectSettings } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { saveEdit } from '../../ui/changing.ts'
import { Form, SelectField, TextField, type TextFieldProps, textsIn } from '../../ui/form.tsx'
import { Loaded, useLoaded } from '../../ui/loading.tsx'
import { SettingsPage } from './settings-page.tsx'

/** The site of the project, the addresses of its posts, and its feeds. */
export function Screen() {
  const loaded = useLoaded('settings', async (stop) => {
    const fields = ['slug', 'publishedAt', 'createdAt', 'category'] as const
    const [settings, posts] = await Promise.all([
      verso().request('GET /v1/admin/project', {}, stop),
      verso().posts.list({ limit: 1, total: false, fields, sort: '-published_at' }, stop),
    ])
    return { settings, post: posts.data[0] }
  })
  return (
    <SettingsPage tab="project">
      <Loaded from={loaded}>{(value) => <SettingsForm key={value.settings.updatedAt} {...value} onSaved={loaded.reload} />}</Loaded>
    </SettingsPage>
  )
}

interface SettingsFormProps {
  readonly settings: ProjectSettings
  /** The one that was published last, as an example. */
  readonly post: Pick<Post, 'id' | 'slug' | 'publishedAt' | 'createdAt' | 'category'> | undefined
  onSaved(): void
}

const placeholders = Object.fromEntries(['slug', 'id', 'year', 'month', 'day', 'category'].map((name) => [name, `{${name}}`]))
const madeUp = { id: 'post_1', slug: 'hello-world', publishedAt: null, createdAt: new Date().toISOString(), category: null }

function SettingsForm({ settings, post = madeUp, onSaved }: SettingsFormProps) {
  const [siteUrl, setSiteUrl] = useState(settings.siteUrl ?? '')
  const [permalink, setPermalink] = useState(settings.permalink ?? '')
  const save = (values: FormData) => {
    const after = textsIn(values, [...values.keys()])
    const put = (body: object) => verso().request('PATCH /v1/admin/project', { body })
    return saveEdit({ before: settings, after, said: t('settings.saved'), put, onDone: onSaved })
  }
  const field = (name: keyof Omit<ProjectSettings, 'id' | 'feedContent'>, more: Partial<TextFieldProps>) => (
    <TextField label={t(`settings.${name as 'name'}`)} name={name} value={settings[name]} {...more} />
  )
  const example = addressOf({ siteUrl: siteUrl || 'https://example.com', permalink }, post) ?? ''
  // Every post has an address of its own, and nothing but placeholders stands in braces.
  const isWhole = /^\/(?!\/).*\{(?:slug|id)\}/.test(permalink) && !/[{}]/.test(example)
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  const contents = (['html', 'excerpt'] as const).map((each) => [each, t(`settings.feed_${each}`)] as const)
  const hint = t('settings.permalinkHint', placeholders)
  return (
    <Form submit={t('settings.save')} onSubmit={save}>
      {field('name', { maxLength: 200, required: true })}
      {field('siteUrl', { type: 'url', placeholder: 'https://example.com', value: siteUrl, onInput: setSiteUrl })}
      {field('permalink', { placeholder: '/blog/{slug}', hint, value: permalink, onInput: setPermalink })}
      {isWhole && <output class="example">{example}</output>}
      {field('timeZone', { options: zones, hint: t('settings.timeZoneHint'), required: true })}
      <h2>{t('settings.feeds')}</h2>
      {settings.siteUrl ? <Feeds slug={settings.slug} /> : <p class="note">{t('settings.noFeeds')}</p>}
      <SelectField label={t('settings.feedContent')} name="feedContent" value={settings.feedContent} options={contents} />
      {field('feedUrl', { type: 'url', placeholder: 'https://example.com/feeds', hint: t('settings.feedUrlHint') })}
      {field('notes', { rows: 8, maxLength: 20_000, hint: t('settings.notesHint') })}
    </Form>
  )
}

const feeds = { RSS: 'rss.xml', Atom: 'atom.xml', 'JSON Feed': 'feed.json', Sitemap: 'sitemap.xml' }

/** Where everybody can read the posts. */
function Feeds({ slug }: { readonly slug: string }) {
  return (
    <p class="links">
      {Object.entries(feeds).map(([name, file]) => (
        <a key={name} href={new URL(`v1/feeds/${slug}/${file}`, serviceUrl).href} target="_blank" rel="noreferrer">
          {name}
        </a>
      ))}
    </p>
  )
}
