import { useState } from 'preact/hooks'
import { changePassword, session } from '../../api/session.ts'
import { chooseLanguage, language, languageNames, t } from '../../i18n/catalogue.ts'
import { access } from '../../route/project.ts'
import { Field } from '../../ui/field.tsx'
import { Form, TextField } from '../../ui/form.tsx'
import { PageHead } from '../../ui/rows.tsx'
import { say } from '../../ui/toasts.tsx'
import { Passkeys } from './passkeys.tsx'

/** Passwords shorter than this are refused. */
const shortestPassword = 12

/** What concerns oneself alone: language and password. */
export function Account() {
  const [turn, setTurn] = useState(0)
  const { name, hasPassword } = session.value?.person ?? { name: '', hasPassword: false }
  const save = async (values: FormData) => {
    await changePassword(String(values.get('password')), String(values.get('currentPassword') ?? ''))
    say(t('account.passwordSaved'))
    setTurn(turn + 1)
  }
  return (
    <>
      <PageHead title={t('account.title')} />
      <p class="page-note">{access.value ? `${name} · ${t(`roles.${access.value.role}`)}` : name}</p>
      <div class="settings">
        <div class="form">
          <Field label={t('account.language')}>
            {(control) => (
              <select
                {...control}
                value={language()}
                onChange={(event) =>
                  chooseLanguage(languageNames.find(({ code }) => code === event.currentTarget.value)?.code ?? language())
                }
              >
                {languageNames.map(({ code, name: own }) => (
                  <option key={code} value={code} lang={code}>
                    {own}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <h2>{t('account.password')}</h2>
        <Form key={turn} submit={t('account.savePassword')} onSubmit={save}>
          {(faultOf) => (
            <>
              <input type="text" name="name" autocomplete="username" value={name} hidden />
              {hasPassword && (
                <TextField
                  label={t('account.current')}
                  name="currentPassword"
                  type="password"
                  autocomplete="current-password"
                  required
                  faultOf={faultOf}
                />
              )}
              <TextField
                label={t('account.new')}
                name="password"
                type="password"
                autocomplete="new-password"
                minLength={shortestPassword}
                required
                hint={t('welcome.hint', { count: shortestPassword })}
                faultOf={faultOf}
              />
            </>
          )}
        </Form>
        <Passkeys />
      </div>
    </>
  )
}
