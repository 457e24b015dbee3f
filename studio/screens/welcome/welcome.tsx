import { useEffect, useState } from 'preact/hooks'
import { addPasskey, knowsPasskeys, readWelcome, setFirstPassword } from '../../api/session.ts'
import { Problem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { navigate, pathTo } from '../../route/router.ts'
import { Field, focusFirst } from '../../ui/field.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { ProblemPanel, problemText } from '../../ui/problem.tsx'

/** Passwords shorter than this are refused. */
const shortestPassword = 12

/** What a one-time link opens: it sets the password. */
export function Welcome() {
  // Read once, and taken out of the address, so that it is not in the history.
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => history.replaceState(null, '', location.pathname), [])
  const { value, error, reload } = useLoaded(token, () => readWelcome(token))
  if (error) {
    const isOver = error instanceof Problem && error.status >= 400 && error.status < 500
    return <main class="door">{isOver ? <p class="door-note">{t('welcome.over')}</p> : <ProblemPanel error={error} retry={reload} />}</main>
  }
  return value ? <FirstPassword name={value.name} token={token} /> : <div class="waiting" />
}

function FirstPassword({ name, token }: { readonly name: string; readonly token: string }) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const enter = async (entering: Promise<unknown>) => {
    setBusy(true)
    try {
      if ((await entering) !== false) return navigate(pathTo([]), { replace: true })
    } catch (error) {
      setFault(problemText(error))
    }
    setBusy(false)
  }
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    void enter(setFirstPassword(token, String(new FormData(event.currentTarget).get('password'))))
  }
  return (
    <main class="door">
      <form onSubmit={submit}>
        <h1>{t('welcome.title', { name })}</h1>
        <p class="door-note">{t('welcome.what')}</p>
        <input type="text" name="name" autocomplete="username" value={name} hidden />
        <Field label={t('welcome.password')} hint={t('welcome.hint', { count: shortestPassword })} error={fault}>
          {(control) => (
            <input
              {...control}
              type="password"
              name="password"
              autocomplete="new-password"
              minLength={shortestPassword}
              required
              ref={focusFirst}
            />
          )}
        </Field>
        <button type="submit" class="button primary wide" disabled={isBusy}>
          {t('welcome.submit')}
        </button>
        {knowsPasskeys && (
          <button type="button" class="button wide" disabled={isBusy} onClick={() => void enter(addPasskey({ token }))}>
            {t('welcome.orPasskey')}
          </button>
        )}
      </form>
    </main>
  )
}
