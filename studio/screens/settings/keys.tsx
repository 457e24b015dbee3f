import { useState } from 'preact/hooks'
import { type Access, accesses, createKey, listKeys, revokeKey } from '../../api/settings.ts'
import type { ApiKey } from '../../api/verso.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { CancelButton, Choices, Confirm, Form, TextField, textIn } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { say } from '../../ui/toasts.tsx'
import { SettingsPage } from './settings-page.tsx'

type Open = { readonly kind: 'new' } | { readonly kind: 'made'; readonly token: string } | { readonly kind: 'revoke'; readonly key: ApiKey }

const isOver = ({ revokedAt, expiresAt }: ApiKey) => revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) < Date.now())

/** What programs read and write with. */
export function Keys() {
  const list = useLoaded('keys', (stop) => listKeys(api(), stop))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const over = list.value?.filter(isOver) ?? []
  const revoke = async (key: ApiKey) => {
    await revokeKey(api(), key.id)
    say(t('settings.revoked', { name: key.name }))
    close()
    list.reload()
  }
  const made = (token: string) => {
    setOpen({ kind: 'made', token })
    list.reload()
  }
  return (
    <SettingsPage tab="keys" create={{ label: t('settings.newKey'), run: () => setOpen({ kind: 'new' }) }}>
      <Rows label={t('settings.tab_keys')} list={list} isStacked>
        {list.value
          ?.filter((key) => !isOver(key))
          .map((key) => (
            <Row key={key.id} name={key.name} about={aboutKey(key)}>
              <div class="row-side">
                <button
                  type="button"
                  class="button quiet danger"
                  aria-label={t('settings.revokeNamed', { name: key.name })}
                  onClick={() => setOpen({ kind: 'revoke', key })}
                >
                  {t('settings.revoke')}
                </button>
              </div>
            </Row>
          ))}
      </Rows>
      {over.length > 0 && (
        <details>
          <summary>{t('settings.over', { count: over.length })}</summary>
          <ul class="rows">
            {over.map((key) => (
              <Row key={key.id} name={key.name} about={aboutKey(key)} />
            ))}
          </ul>
        </details>
      )}
      {open?.kind === 'new' && <NewKey onClose={close} onMade={made} />}
      {open?.kind === 'made' && (
        <ShownOnce
          title={t('settings.newKey')}
          label={t('settings.token')}
          secret={open.token}
          note={t('settings.onceKey')}
          onClose={close}
        />
      )}
      {open?.kind === 'revoke' && (
        <Confirm
          title={t('settings.revokeNamed', { name: open.key.name })}
          text={t('settings.revokes')}
          submit={t('settings.revoke')}
          onConfirm={() => revoke(open.key)}
          onClose={close}
        />
      )}
    </SettingsPage>
  )
}

function aboutKey({ kind, last4, scopes, lastUsedAt, revokedAt, expiresAt }: ApiKey) {
  const end = revokedAt ?? expiresAt
  return [
    t(`settings.kind_${kind}`),
    `…${last4}`,
    lastUsedAt ? t('settings.used', { when: formatSince(lastUsedAt) }) : t('settings.neverUsed'),
    end && t(revokedAt ? 'settings.revokedAt' : 'settings.expires', { date: formatDate(end) }),
    scopes.join(', '),
  ]
}

/** Days until a new key ends; 0 for never. */
const lifetimes = [0, 30, 90, 365] as const
const dayMs = 86_400_000

function NewKey({ onClose, onMade }: { onClose(): void; onMade(token: string): void }) {
  const create = async (values: FormData) => {
    const days = Number(values.get('days'))
    const expiresAt = days > 0 ? new Date(Date.now() + days * dayMs).toISOString() : null
    onMade(await createKey(api(), textIn(values, 'name'), textIn(values, 'access') as Access, expiresAt))
  }
  return (
    <Dialog title={t('settings.newKey')} onClose={onClose}>
      <Form submit={t('settings.create')} aside={<CancelButton onClose={onClose} />} onSubmit={create}>
        {(faultOf) => (
          <>
            <TextField label={t('settings.keyName')} name="name" maxLength={100} required autofocus faultOf={faultOf} />
            <Choices
              label={t('settings.access')}
              name="access"
              value="read"
              choices={Object.keys(accesses).map((value) => ({
                value,
                label: t(`settings.access_${value as Access}`),
                hint: t(`settings.accessHint_${value as Access}`),
              }))}
            />
            <Field label={t('settings.lifetime')}>
              {(control) => (
                <select {...control} name="days">
                  {lifetimes.map((days) => (
                    <option key={days} value={days}>
                      {days === 0 ? t('settings.forever') : t('settings.days', { count: days })}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </>
        )}
      </Form>
    </Dialog>
  )
}
