import { useState } from 'preact/hooks'
import { addressOf, changeSettings, exampleOfPost, feedUrls, placeholders, readSettings } from '../../api/settings.ts'
import type { ProjectPatch, ProjectSettings as Settings } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Field } from '../../ui/field.tsx'
import { Form, TextField, textIn } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { say } from '../../ui/toasts.tsx'
import { SettingsPage } from './settings-page.tsx'

/** The site of the project, the addresses of its posts, and its feeds. */
export function ProjectSettings() {
  const { value, error, reload } = useLoaded('settings', async (stop) => {
    const [settings, post] = await Promise.all([readSettings(api(), stop), exampleOfPost(api(), stop)])
    return { settings, post }
  })
  return (
    <SettingsPage tab="project">
      {error ? <ProblemPanel error={error} retry={reload} /> : null}
      {value && <SettingsForm key={value.settings.updatedAt} {...value} onSaved={reload} />}
    </SettingsPage>
  )
}

interface SettingsFormProps {
  readonly settings: Settings
  readonly post: Parameters<typeof addressOf>[2]
  onSaved(): void
}

function SettingsForm({ settings, post, onSaved }: SettingsFormProps) {
  const [siteUrl, setSiteUrl] = useState(settings.siteUrl ?? '')
  const [permalink, setPermalink] = useState(settings.permalink ?? '')
  const example = addressOf(siteUrl || 'https://example.com', permalink, post)
  const save = async (values: FormData) => {
    const edits = changedIn(values, settings)
    if (Object.keys(edits).length === 0) return
    await changeSettings(api(), edits)
    say(t('settings.saved'), async () => {
      await changeSettings(api(), Object.fromEntries(Object.keys(edits).map((name) => [name, settings[name as keyof Settings]])))
      onSaved()
    })
    onSaved()
  }
  return (
    <Form submit={t('settings.save')} onSubmit={save}>
      {(faultOf) => (
        <>
          <TextField label={t('settings.name')} name="name" value={settings.name} maxLength={200} required faultOf={faultOf} />
          <TextField
            label={t('settings.siteUrl')}
            name="siteUrl"
            type="url"
            placeholder="https://example.com"
            value={settings.siteUrl}
            faultOf={faultOf}
            onInput={setSiteUrl}
          />
          <TextField
            label={t('settings.permalink')}
            name="permalink"
            placeholder="/blog/{slug}"
            value={settings.permalink}
            hint={t('settings.permalinkHint', Object.fromEntries(placeholders.map((name) => [name, `{${name}}`])))}
            faultOf={faultOf}
            onInput={setPermalink}
          />
          {example && <output class="example">{example}</output>}
          <h2>{t('settings.feeds')}</h2>
          {settings.siteUrl ? (
            <p class="links">
              {feedUrls(settings).map(({ name, url }) => (
                <a key={name} href={url} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ))}
            </p>
          ) : (
            <p class="note">{t('settings.noFeeds')}</p>
          )}
          <Field label={t('settings.feedContent')} error={faultOf('feedContent')}>
            {(control) => (
              <select {...control} name="feedContent">
                {(['html', 'excerpt'] as const).map((each) => (
                  <option key={each} value={each} selected={each === settings.feedContent}>
                    {t(`settings.feed_${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label={t('settings.feedUrl')}
            name="feedUrl"
            type="url"
            placeholder="https://example.com/feeds"
            value={settings.feedUrl}
            hint={t('settings.feedUrlHint')}
            faultOf={faultOf}
          />
          <TextField
            label={t('settings.notes')}
            name="notes"
            value={settings.notes}
            rows={8}
            maxLength={20_000}
            hint={t('settings.notesHint')}
            faultOf={faultOf}
          />
        </>
      )}
    </Form>
  )
}

/** Only what is other than before: two people may change different settings. */
function changedIn(values: FormData, settings: Settings): ProjectPatch {
  const names = ['name', 'siteUrl', 'permalink', 'feedContent', 'feedUrl', 'notes'] as const
  const texts = names.map((name) => [name, textIn(values, name) || null] as const)
  return Object.fromEntries(texts.filter(([name, text]) => text !== settings[name]))
}
