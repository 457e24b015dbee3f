import { type ApiKey, everyItem } from '../../api/verso.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { Choices, ConfirmButton, FormDialog, SelectField, TextField, textIn } from '../../ui/form.tsx'
import { show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { SettingsPage } from './settings-page.tsx'

const isPast = (instant: string | null) => instant !== null && Date.parse(instant) <= Date.now()
/** A rotated key works until its `revokedAt`. */
const isOver = ({ revokedAt, expiresAt }: ApiKey) => isPast(revokedAt) || isPast(expiresAt)

/** What programs read and write with. */
export function Screen() {
  const list = useLoaded('keys', (stop) => everyItem(verso().pages('GET /v1/admin/keys', { limit: 100, total: false }, stop)))
  const spent = list.value?.filter(isOver) ?? []
  const revoke = (id: string) => () => verso().request('DELETE /v1/admin/keys/{id}', { id }).then(list.reload)
  const over = t('settings.over', { count: spent.length })
  return (
    <SettingsPage tab="keys" create={{ label: t('settings.newKey'), run: () => show(<NewKey onMade={list.reload} />) }}>
      <Rows label={t('settings.tab_keys')} list={{ ...list, value: list.value?.filter((key) => !isOver(key)) }} kind="rows stacked">
        {(key) => (
          <Row key={key.id} name={key.name} about={aboutKey(key)}>
            <ConfirmButton deed="revoke" name={key.name} text={t('settings.revokes')} onConfirm={revoke(key.id)} />
          </Row>
        )}
      </Rows>
      {spent.length > 0 && (
        <details>
          <summary>{over}</summary>
          <Rows label={over} list={{ ...list, value: spent }}>
            {(key) => <Row key={key.id} name={key.name} about={aboutKey(key)} />}
          </Rows>
        </details>
      )}
    </SettingsPage>
  )
}

function aboutKey({ kind, last4, scopes, lastUsedAt, revokedAt, expiresAt }: ApiKey) {
  const [end] = [revokedAt, expiresAt].filter((each) => each !== null).sort()
  return [
    t(`settings.kind_${kind}`),
    `…${last4}`,
    lastUsedAt ? t('settings.used', { when: formatSince(lastUsedAt) }) : t('settings.neverUsed'),
    end && t(isPast(revokedAt) ? 'settings.revokedAt' : 'settings.expires', { date: formatDate(end) }),
    scopes.join(', '),
  ]
}

/** What keys are usually for. What is made without scopes gets those of its kind. */
const accesses = {
  public: { kind: 'public' },
  read: { kind: 'secret', scopes: ['posts:read_drafts', 'authors:read', 'media:read', 'changes:read'] },
  propose: { kind: 'secret', scopes: ['posts:propose', 'authors:read', 'media:read'] },
  write: { kind: 'secret' },
  admin: {
    kind: 'secret',
    scopes: ['posts:write', 'posts:publish', 'posts:delete', 'authors:read_email', 'media:write', 'changes:read', 'admin'],
  },
} as const satisfies Readonly<Record<string, { readonly kind: ApiKey['kind']; readonly scopes?: ApiKey['scopes'] }>>
const accessNames = Object.keys(accesses) as (keyof typeof accesses)[]

/** Days until a new key ends; 0 for never. */
const lifetimes = [0, 30, 90, 365]
const dayMs = 86_400_000

function NewKey({ onMade }: { onMade(): void }) {
  const create = async (values: FormData) => {
    const days = Number(values.get('days'))
    const expiresAt = days > 0 ? new Date(Date.now() + days * dayMs).toISOString() : null
    const access = accesses[textIn(values, 'access') as keyof typeof accesses]
    const key = await verso().request('POST /v1/admin/keys', { body: { name: textIn(values, 'name'), ...access, expiresAt } })
    onMade()
    const secret = 'token' in key ? key.token : ''
    return <ShownOnce title={t('settings.newKey')} label={t('settings.token')} secret={secret} note={t('settings.onceKey')} />
  }
  const choices = accessNames.map((name) => [name, t(`settings.access_${name}`), t(`settings.accessHint_${name}`)] as const)
  const ends = lifetimes.map((days) => [String(days), days === 0 ? t('settings.forever') : t('settings.days', { count: days })] as const)
  return (
    <FormDialog title={t('settings.newKey')} submit={t('settings.create')} onSubmit={create}>
      <TextField label={t('settings.keyName')} name="name" maxLength={100} required autofocus />
      <Choices label={t('settings.access')} name="access" value={['read']} choices={choices} />
      <SelectField label={t('settings.lifetime')} name="days" value="0" options={ends} />
    </FormDialog>
  )
}
