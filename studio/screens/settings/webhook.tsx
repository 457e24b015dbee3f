import { useEffect, useMemo, useState } from 'preact/hooks'
import { changeWebhook, deleteWebhook, listDeliveries, readWebhook, redeliver, testWebhook } from '../../api/settings.ts'
import type { Delivery } from '../../api/verso.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { api, screenPath } from '../../route/project.ts'
import { navigate } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Confirm } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { Menu } from '../../ui/menu.tsx'
import { ProblemPanel } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { attempt, say } from '../../ui/toasts.tsx'
import { usePages } from '../../ui/use-pages.ts'
import { SettingsPage } from './settings-page.tsx'
import { WebhookDialog, WebhookState } from './webhooks.tsx'

/** How soon the log looks again for what is on its way. */
const lookAgainMs = 1_500

/** A webhook and what was sent to it. */
export function WebhookPage({ id = '' }: { readonly id?: string }) {
  const { value: webhook, error, reload } = useLoaded(id, (stop) => readWebhook(api(), id, stop))
  const log = usePages(id, (options) => listDeliveries(api(), id, options))
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const isOnItsWay = log.items.some(({ status, tries }) => status === 'sending' || (status === 'waiting' && tries === 0))
  useEffect(() => {
    const timer = isOnItsWay && webhook?.enabled ? setTimeout(log.reload, lookAgainMs) : undefined
    return () => clearTimeout(timer)
  }, [isOnItsWay, log.items, webhook])

  const test = () =>
    attempt(async () => {
      await testWebhook(api(), id)
      log.reload()
    })
  useCommands(useMemo(() => [{ title: t('settings.test'), run: () => void test() }], [id]))
  const remove = async () => {
    await deleteWebhook(api(), id)
    say(t('names.deleted', { name: webhook?.name ?? '' }))
    navigate(screenPath('settings', 'webhooks'))
  }
  const turn = (enabled: boolean) =>
    attempt(async () => {
      await changeWebhook(api(), id, { enabled })
      reload()
    })
  const deeds = webhook && (
    <div class="page-deeds">
      <button type="button" class="button primary" onClick={test}>
        {t('settings.test')}
      </button>
      <Menu buttonClass="button quiet square" label={t('settings.more', { name: webhook.name })} button={<Icon name="more" />}>
        <button type="button" onClick={() => setOpen('edit')}>
          {t('settings.edit')}
        </button>
        <button type="button" onClick={() => turn(!webhook.enabled)}>
          {t(webhook.enabled ? 'settings.turnOff' : 'settings.turnOn')}
        </button>
        <button type="button" class="danger" onClick={() => setOpen('delete')}>
          {t('names.delete')}
        </button>
      </Menu>
    </div>
  )
  return (
    <SettingsPage tab="webhooks" deeds={deeds}>
      {error ? <ProblemPanel error={error} retry={reload} /> : null}
      {webhook && (
        <div class="about-one">
          <h2>{webhook.name}</h2>
          <p>{webhook.url}</p>
          <p>
            <WebhookState webhook={webhook} />
            {' · '}
            {webhook.events.join(', ')}
          </p>
          {webhook.disabledReason && <p class="note error">{webhook.disabledReason}</p>}
        </div>
      )}
      <Rows
        label={t('settings.log')}
        list={{ ...log, value: log.isLoading ? undefined : log.items }}
        none={t('settings.noDeliveries')}
        isStacked
      >
        {log.items.map((delivery) => (
          <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} onSent={log.reload} />
        ))}
      </Rows>
      <div class="list-end" ref={log.end} />
      {webhook && open === 'edit' && (
        <WebhookDialog
          webhook={webhook}
          onClose={close}
          onSaved={() => {
            close()
            reload()
          }}
        />
      )}
      {webhook && open === 'delete' && (
        <Confirm
          title={t('names.deleteNamed', { name: webhook.name })}
          text={t('settings.deletesWebhook')}
          submit={t('names.delete')}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </SettingsPage>
  )
}

interface DeliveryRowProps {
  readonly webhookId: string
  readonly delivery: Delivery
  onSent(): void
}

const marks = { delivered: 'published', waiting: 'scheduled', sending: 'scheduled', failed: 'archived' } as const

function DeliveryRow({ webhookId, delivery, onSent }: DeliveryRowProps) {
  const { type, status, tries, lastStatus, lastError, lastDurationMs, happenedAt, nextTryAt } = delivery
  const about = [
    lastError ?? (lastStatus && `HTTP ${lastStatus}`),
    lastDurationMs !== null && `${lastDurationMs} ms`,
    tries > 1 && t('settings.tries', { count: tries }),
    status === 'waiting' && tries > 0 && nextTryAt && t('settings.nextTry', { when: formatSince(nextTryAt) }),
  ]
  const again = () =>
    attempt(async () => {
      await redeliver(api(), webhookId, delivery)
      onSent()
    })
  return (
    <Row name={type} about={about}>
      <div class="row-side">
        <time dateTime={happenedAt} title={formatDate(happenedAt, 'time')}>
          {formatSince(happenedAt)}
        </time>
        <span class="status">
          <span class={`mark ${marks[status]}`} aria-hidden="true" />
          {t(`settings.delivery_${status}`)}
        </span>
        <button type="button" class="button quiet" onClick={again}>
          {t('settings.again')}
        </button>
      </div>
    </Row>
  )
}
