import { useState } from 'preact/hooks'
import { addPasskey, knowsPasskeys, type Passkey, removePasskey, session } from '../../api/session.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { Confirm, Form, TextField, textIn } from '../../ui/form.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { say } from '../../ui/toasts.tsx'

/** What one signs in with beside the password, or in its place. */
export function Passkeys() {
  const [removed, setRemoved] = useState<Passkey>()
  const passkeys = session.value?.person.passkeys ?? []
  const add = async (values: FormData) => {
    if (await addPasskey({ name: textIn(values, 'name') })) say(t('account.passkeyAdded'))
  }
  const remove = async ({ id, name }: Passkey) => {
    await removePasskey(id)
    say(t('names.deleted', { name }))
    setRemoved(undefined)
  }
  return (
    <>
      <h2>{t('account.passkeys')}</h2>
      <p class="page-note">{t(knowsPasskeys ? 'account.passkeysWhat' : 'account.noPasskeys')}</p>
      <Rows label={t('account.passkeys')} list={{ value: passkeys, error: undefined, reload: () => undefined }}>
        {passkeys.map((passkey) => (
          <Row key={passkey.id} name={passkey.name} about={[formatDate(passkey.createdAt)]}>
            <button
              type="button"
              class="button quiet danger"
              aria-label={t('names.deleteNamed', { name: passkey.name })}
              onClick={() => setRemoved(passkey)}
            >
              {t('names.delete')}
            </button>
          </Row>
        ))}
      </Rows>
      {knowsPasskeys && (
        <Form key={passkeys.length} submit={t('account.addPasskey')} onSubmit={add}>
          <TextField label={t('account.passkeyName')} name="name" maxLength={100} placeholder="iPhone" required />
        </Form>
      )}
      {removed && (
        <Confirm
          title={t('names.deleteNamed', { name: removed.name })}
          text={t('account.passkeyGoes')}
          submit={t('names.delete')}
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}
