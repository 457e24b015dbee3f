import { useState } from 'preact/hooks'
import { knowsPasskeys, signIn, signInByPasskey } from '../../api/session.ts'
import { Problem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { Field, focusFirst } from '../../ui/field.tsx'
import { problemText } from '../../ui/problem.tsx'

/** Stands at every address until somebody is signed in. */
export function SignIn() {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const sign = async (signing: Promise<void>, wrong: string) => {
    setBusy(true)
    setFault(undefined)
    await signing.catch((error: unknown) => {
      const isWrong = error instanceof Problem && error.status === 401
      setFault(isWrong ? wrong : problemText(error))
    })
    setBusy(false)
  }
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void sign(signIn(String(form.get('name')), String(form.get('password'))), t('signIn.wrong'))
  }
  return (
    <main class="door">
      <form onSubmit={submit}>
        <h1>{t('signIn.title')}</h1>
        <Field label={t('signIn.name')}>
          {(control) => <input {...control} type="text" name="name" autocomplete="username" required ref={focusFirst} />}
        </Field>
        <Field label={t('signIn.password')} error={fault}>
          {(control) => <input {...control} type="password" name="password" autocomplete="current-password" required />}
        </Field>
        <button type="submit" class="button primary wide" disabled={isBusy}>
          {t('signIn.submit')}
        </button>
        {knowsPasskeys && (
          <button
            type="button"
            class="button wide"
            disabled={isBusy}
            onClick={() => void sign(signInByPasskey(), t('account.unknownPasskey'))}
          >
            {t('account.usePasskey')}
          </button>
        )}
        <p class="door-note">{t('signIn.lost')}</p>
      </form>
    </main>
  )
}
