import { useState } from 'preact/hooks'
import { addPasskey, knowsPasskeys, removePasskey, session, shortestPassword, sign } from '../../api/session.ts'
import { chooseLanguage, formatDate, type Language, language, languageNames, t } from '../../i18n/catalogue.ts'
import { access } from '../../route/router.ts'
import { ConfirmButton, Form, SelectField, TextField, textIn } from '../../ui/form.tsx'
import { say } from '../../ui/layers.tsx'
import { PageHead, Row, Rows } from '../../ui/rows.tsx'

const current = { name: 'currentPassword', type: 'password', autocomplete: 'current-password', required: true } as const

/** What concerns oneself alone: language, password and passkeys. */
export function Screen() {
  const { name = '', hasPassword = false } = session.value?.person ?? {}
  // Another form after each change: its fields are empty.
  const [turn, setTurn] = useState(0)
  const save = async (values: FormData) => {
    await sign('/password', { password: values.get('password'), ...(hasPassword && { currentPassword: values.get('currentPassword') }) })
    say(t('account.passwordSaved'))
    setTurn(turn + 1)
  }
  const choose = (code: string) => chooseLanguage(code as Language)
  const languages = languageNames.map(({ code, name: own }) => [code, own] as const)
  const hint = t('welcome.hint', { count: shortestPassword })
  const fresh = { name: 'password', type: 'password', autocomplete: 'new-password', minLength: shortestPassword, required: true } as const
  return (
    <>
      <PageHead title={t('account.title')} />
      <p class="page-note">{access.value ? `${name} · ${t(`roles.${access.value.role}`)}` : name}</p>
      <div class="settings">
        <div class="form">
          <SelectField label={t('account.language')} value={language()} options={languages} onChange={choose} />
        </div>
        <h2>{t('account.password')}</h2>
        <Form key={turn} submit={t('account.savePassword')} onSubmit={save}>
          <input type="text" name="name" autocomplete="username" value={name} hidden />
          {hasPassword && <TextField {...current} label={t('account.current')} />}
          <TextField {...fresh} label={t('account.new')} hint={hint} />
        </Form>
        <Passkeys />
      </div>
    </>
  )
}

/** What one signs in with beside the password, or in its place. */
function Passkeys() {
  const { passkeys = [], hasPassword = false } = session.value?.person ?? {}
  const add = async (values: FormData) => {
    const proof = hasPassword && { currentPassword: String(values.get('currentPassword')) }
    if (await addPasskey({ name: textIn(values, 'name'), ...proof })) say(t('account.passkeyAdded'))
  }
  return (
    <>
      <h2>{t('account.passkeys')}</h2>
      <p class="page-note">{t(knowsPasskeys ? 'account.passkeysWhat' : 'account.noPasskeys')}</p>
      <Rows label={t('account.passkeys')} list={{ value: passkeys, error: undefined, reload: () => undefined }}>
        {({ id, name, createdAt }) => (
          <Row key={id} name={name} about={[formatDate(createdAt)]}>
            <ConfirmButton deed="delete" name={name} text={t('account.passkeyGoes')} onConfirm={() => removePasskey(id)} />
          </Row>
        )}
      </Rows>
      {knowsPasskeys && (
        <Form key={passkeys.length} submit={t('account.addPasskey')} onSubmit={add}>
          <TextField label={t('account.passkeyName')} name="name" maxLength={100} placeholder="iPhone" required />
          {hasPassword && <TextField {...current} label={t('account.passkeyProof')} />}
        </Form>
      )}
    </>
  )
}
