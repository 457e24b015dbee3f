import { useEffect, useMemo } from 'preact/hooks'
import { type Delivery, everyItem, type Webhook } from '../../api/verso.ts'
import { formatSince, t } from '../../i18n/catalogue.ts'
import { navigate, screenPath, verso } from '../../route/router.ts'
import { saveEdit } from '../../ui/changing.ts'
import { useCommands } from '../../ui/commands.ts'
import { Button, Icon, Menu, Since, Status } from '../../ui/controls.tsx'
import { Choices, confirm, FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { attempt, show } from '../../ui/layers.tsx'
import { Loaded, useLoaded, usePages } from '../../ui/loading.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { SettingsPage } from './settings-page.tsx'

/** Who is told of changes, or one of them. */
export const Screen = ({ id }: { readonly id?: string }) => (id ? <WebhookPage id={id} /> : <Webhooks />)

function Webhooks() {
  const list = useLoaded('webhooks', (stop) => everyItem(verso().pages('GET /v1/admin/webhooks', { limit: 100, total: false }, stop)))
  const create = { label: t('settings.newWebhook'), run: () => show(<WebhookDialog onSaved={list.reload} />) }
  return (
    <SettingsPage tab="webhooks" create={create}>
      <Rows label={t('settings.tab_webhooks')} list={list} none={t('settings.noWebhooks')}>
        {(webhook) => (
          <Row key={webhook.id} name={webhook.name} about={[webhook.url]} href={screenPath('settings', 'webhooks', webhook.id)}>
            <WebhookState webhook={webhook} />
          </Row>
        )}
      </Rows>
    </SettingsPage>
  )
}

function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  if (!enabled) return <Status mark="archived" text={t('settings.off')} />
  if (failingSince) return <Status mark="scheduled" text={t('settings.failing', { when: formatSince(failingSince) })} />
  return <Status mark="published" text={t('settings.on')} />
}

function WebhookDialog({ webhook, onSaved }: { readonly webhook?: Webhook; onSaved(): void }) {
  const save = async (values: FormData) => {
    const [url, name, events] = [textIn(values, 'url'), textIn(values, 'name'), values.getAll('events') as Webhook['events']]
    if (webhook) {
      const put = (body: object, { id }: Webhook) => verso().request('PATCH /v1/admin/webhooks/{id}', { id, body })
      return saveEdit({ before: webhook, after: { url, name, events }, said: t('names.saved', { name }), put, onDone: onSaved })
    }
    const made = await verso().request('POST /v1/admin/webhooks', { body: { url, events, ...(name && { name }) } })
    onSaved()
    const secret = 'secret' in made ? made.secret : ''
    return <ShownOnce title={t('settings.newWebhook')} label={t('settings.secret')} secret={secret} note={t('settings.onceWebhook')} />
  }
  const submit = t(webhook ? 'settings.save' : 'settings.create')
  const chosen = webhook?.events ?? ['*']
  const choice = (event: string) => [event, event === '*' ? t('settings.everything') : <code>{event}</code>] as const
  const choices = [...new Set([...eventGroups, ...chosen])].map(choice)
  const named = webhook ? { value: webhook.name, required: true } : { hint: t('settings.webhookNameHint') }
  return (
    <FormDialog title={webhook?.name ?? t('settings.newWebhook')} submit={submit} onSubmit={save}>
      <TextField label={t('settings.url')} name="url" type="url" value={webhook?.url} placeholder="https://" required autofocus />
      <TextField label={t('settings.webhookName')} name="name" maxLength={100} {...named} />
      <Choices type="checkbox" label={t('settings.events')} name="events" value={chosen} choices={choices} />
    </FormDialog>
  )
}

const eventGroups: Webhook['events'] = ['*', 'post.*', 'author.*', 'category.*', 'media.*', 'project.changed']

/** How soon the log looks again for what is on its way. */
const lookAgainMs = 1_500

/** A webhook and what was sent to it. */
function WebhookPage({ id }: { readonly id: string }) {
  const read = useLoaded(id, (stop) => verso().request('GET /v1/admin/webhooks/{id}', { id }, stop))
  const { value: webhook, reload } = read
  const log = usePages(id, (more, stop) => verso().request('GET /v1/admin/webhooks/{id}/deliveries', { id, limit: 50, ...more }, stop))
  const isOnItsWay = log.value?.some(({ status, tries }) => status === 'sending' || (status === 'waiting' && tries === 0))
  useEffect(() => {
    const timer = isOnItsWay && webhook?.enabled ? setTimeout(log.reload, lookAgainMs) : undefined
    return () => clearTimeout(timer)
  }, [isOnItsWay, log.value, webhook])

  /** Does something, and shows what came of it. */
  const does = (work: () => Promise<unknown>, then: () => void) => () => attempt(() => work().then(then))
  const test = does(() => verso().request('POST /v1/admin/webhooks/{id}/test', { id }), log.reload)
  useCommands(useMemo(() => [{ title: t('settings.test'), run: () => void test() }], [id]))
  const { name = '', enabled = false } = webhook ?? {}
  const remove = async () => {
    await verso().request('DELETE /v1/admin/webhooks/{id}', { id })
    navigate(screenPath('settings', 'webhooks'))
  }
  const question = { deed: 'delete', name, text: t('settings.deletesWebhook'), onConfirm: remove } as const
  const turn = does(() => verso().request('PATCH /v1/admin/webhooks/{id}', { id, body: { enabled: !enabled } }), reload)
  const items = [
    { label: t('settings.edit'), run: () => webhook && show(<WebhookDialog webhook={webhook} onSaved={reload} />) },
    { label: t(enabled ? 'settings.turnOff' : 'settings.turnOn'), run: turn },
    { label: t('deeds.delete'), isDanger: true, run: () => confirm(question) },
  ]
  const deeds = webhook && (
    <div class="page-deeds">
      <Button kind="primary" label={t('settings.test')} onClick={test} />
      <Menu label={t('settings.more', { name })} button={<Icon name="more" />} items={items} />
    </div>
  )
  return (
    <SettingsPage tab="webhooks" deeds={deeds}>
      <Loaded from={read}>
        {(webhook) => (
          <div class="about-one">
            <h2>{webhook.name}</h2>
            <p>{webhook.url}</p>
            <p>
              <WebhookState webhook={webhook} />
              {` · ${webhook.events.join(', ')}`}
            </p>
            {webhook.disabledReason && <p class="note error">{webhook.disabledReason}</p>}
          </div>
        )}
      </Loaded>
      <Rows label={t('settings.log')} list={log} none={t('settings.noDeliveries')} kind="rows stacked">
        {(delivery) => {
          const path = { id, deliveryId: delivery.id }
          const again = does(() => verso().request('POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', path), log.reload)
          return (
            <Row key={delivery.id} name={delivery.type} about={aboutDelivery(delivery)}>
              <Since at={delivery.happenedAt} />
              <Status mark={marks[delivery.status]} text={t(`settings.delivery_${delivery.status}`)} />
              <Button kind="quiet" label={t('settings.again')} onClick={again} />
            </Row>
          )
        }}
      </Rows>
    </SettingsPage>
  )
}

const marks = { delivered: 'published', waiting: 'scheduled', sending: 'scheduled', failed: 'archived' } as const

function aboutDelivery({ status, tries, lastStatus, lastError, lastDurationMs, nextTryAt }: Delivery) {
  return [
    lastError ?? (lastStatus && `HTTP ${lastStatus}`),
    lastDurationMs !== null && `${lastDurationMs} ms`,
    tries > 1 && t('settings.tries', { count: tries }),
    status === 'waiting' && tries > 0 && nextTryAt && t('settings.nextTry', { when: formatSince(nextTryAt) }),
  ]
}
