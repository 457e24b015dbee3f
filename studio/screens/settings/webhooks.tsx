import { useState } from 'preact/hooks'
import { changeWebhook, createWebhook, type Events, eventGroups, listWebhooks } from '../../api/settings.ts'
import type { Webhook } from '../../api/verso.ts'
import { formatSince, t } from '../../i18n/catalogue.ts'
import { api, screenPath } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CancelButton, Form, TextField, textIn } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { SettingsPage } from './settings-page.tsx'

/** Who is told of changes. */
export function Webhooks() {
  const list = useLoaded('webhooks', (stop) => listWebhooks(api(), stop))
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<string>()
  const saved = (made?: string) => {
    setNew(false)
    setSecret(made)
    list.reload()
  }
  return (
    <SettingsPage tab="webhooks" create={{ label: t('settings.newWebhook'), run: () => setNew(true) }}>
      <Rows label={t('settings.tab_webhooks')} list={list} none={t('settings.noWebhooks')}>
        {list.value?.map((webhook) => (
          <Row key={webhook.id} name={webhook.name} about={[webhook.url]} href={screenPath('settings', 'webhooks', webhook.id)}>
            <div class="row-side">
              <WebhookState webhook={webhook} />
            </div>
          </Row>
        ))}
      </Rows>
      {isNew && <WebhookDialog onClose={() => setNew(false)} onSaved={saved} />}
      {secret && (
        <ShownOnce
          title={t('settings.newWebhook')}
          label={t('settings.secret')}
          secret={secret}
          note={t('settings.onceWebhook')}
          onClose={() => setSecret(undefined)}
        />
      )}
    </SettingsPage>
  )
}

export function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  const text = !enabled ? t('settings.off') : failingSince ? t('settings.failing', { when: formatSince(failingSince) }) : t('settings.on')
  return (
    <span class="status">
      <span class={`mark ${!enabled ? 'archived' : failingSince ? 'scheduled' : 'published'}`} aria-hidden="true" />
      {text}
    </span>
  )
}

interface WebhookDialogProps {
  readonly webhook?: Webhook
  onClose(): void
  /** With the secret of a new one. */
  onSaved(secret?: string): void
}

export function WebhookDialog({ webhook, onClose, onSaved }: WebhookDialogProps) {
  const save = async (values: FormData) => {
    const events = values.getAll('events') as Events
    const edits = { url: textIn(values, 'url'), name: textIn(values, 'name'), events }
    if (!webhook) return onSaved(await createWebhook(api(), edits))
    await changeWebhook(api(), webhook.id, edits)
    onSaved()
  }
  const offered = [...new Set([...eventGroups, ...(webhook?.events ?? [])])]
  const chosen: Events = webhook?.events ?? ['*']
  return (
    <Dialog title={webhook?.name ?? t('settings.newWebhook')} onClose={onClose}>
      <Form submit={t(webhook ? 'settings.save' : 'settings.create')} aside={<CancelButton onClose={onClose} />} onSubmit={save}>
        {(faultOf) => (
          <>
            <TextField
              label={t('settings.url')}
              name="url"
              type="url"
              value={webhook?.url}
              placeholder="https://"
              required
              autofocus
              faultOf={faultOf}
            />
            <TextField
              label={t('settings.webhookName')}
              name="name"
              value={webhook?.name}
              maxLength={100}
              required={webhook !== undefined}
              hint={webhook ? undefined : t('settings.webhookNameHint')}
              faultOf={faultOf}
            />
            <fieldset class="choices-field">
              <legend>{t('settings.events')}</legend>
              {offered.map((event) => (
                <label key={event}>
                  <input type="checkbox" name="events" value={event} defaultChecked={chosen.includes(event)} />
                  {event === '*' ? t('settings.everything') : <code>{event}</code>}
                </label>
              ))}
              {faultOf('events') && <p class="note error">{faultOf('events')}</p>}
            </fieldset>
          </>
        )}
      </Form>
    </Dialog>
  )
}
