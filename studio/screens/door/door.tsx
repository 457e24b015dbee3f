import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addPasskey, askSession, knowsPasskeys, type Session, session, shortestPassword, sign, signInByPasskey } from '../../api/session.ts'
import { Problem } from '../../api/verso.ts'
import { t } from '../../i18n/catalogue.ts'
import { navigate, pathTo } from '../../route/router.ts'
import { Button } from '../../ui/controls.tsx'
import { Form, TextField } from '../../ui/form.tsx'
import { attempt } from '../../ui/layers.tsx'
import { ProblemPanel, useLoaded } from '../../ui/loading.tsx'

/** What stands before the screens. */
function Door({ title, children }: { readonly title?: string; readonly children: ComponentChildren }) {
  return (
    <main class="door">
      <div>
        {title && <h1>{title}</h1>}
        {children}
      </div>
    </main>
  )
}

/** Says what is wrong with what one signs in with. */
async function signed(signing: Promise<void>, wrong: string): Promise<void> {
  await signing.catch((error: unknown) => {
    throw error instanceof Problem && error.status === 401 ? new Problem(401, { detail: wrong }) : error
  })
}

/** Stands at every address until somebody is signed in. */
export function SignIn() {
  const submit = (form: FormData) => signed(sign('', Object.fromEntries(form)), t('signIn.wrong'))
  const byPasskey = () => attempt(() => signed(signInByPasskey(), t('account.unknownPasskey')))
  return (
    <Door title={t('signIn.title')}>
      <Form submit={t('signIn.submit')} kind="primary wide" onSubmit={submit}>
        <TextField label={t('signIn.name')} name="name" autocomplete="username" required autofocus />
        <TextField label={t('signIn.password')} name="password" type="password" autocomplete="current-password" required />
      </Form>
      {knowsPasskeys && <Button kind="wide" label={t('account.usePasskey')} onClick={byPasskey} />}
      <p class="door-note">{t('signIn.lost')}</p>
    </Door>
  )
}

/** What a one-time link opens: it sets the password. */
export function Welcome() {
  // Taken out of the address, so that no list of visited pages has it; who loads the page again still has it.
  const [token] = useState((): string => location.hash.slice(1) || (history.state?.token ?? ''))
  useEffect(() => {
    history.replaceState({ token }, '', location.pathname)
    // Another link, for the same page.
    const read = () => location.reload()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  const { value, error, reload } = useLoaded(token, () => askSession<{ readonly name: string }>('POST', '/welcome', { token }))
  if (isGone(error)) return <Over />
  if (error)
    return (
      <Door>
        <ProblemPanel error={error} retry={reload} />
      </Door>
    )
  if (!value) return <div class="waiting" />

  const { name } = value
  const enter = async (entering: Promise<unknown>) => {
    const isDone = await entering.catch((error: unknown) => {
      if (isGone(error)) reload()
      throw error
    })
    if (isDone !== false) navigate(pathTo([]), { replace: true })
  }
  const submit = (values: FormData) => enter(sign('/password', { token, password: values.get('password') }))
  const byPasskey = () => attempt(() => enter(addPasskey({ token })))
  const field = { name: 'password', type: 'password', autocomplete: 'new-password', minLength: shortestPassword } as const
  return (
    <Door title={t('welcome.title', { name })}>
      <p class="door-note">{t('welcome.what')}</p>
      <Form submit={t('welcome.submit')} kind="primary wide" onSubmit={submit}>
        <input type="text" name="name" autocomplete="username" value={name} hidden />
        <TextField {...field} label={t('welcome.password')} hint={t('welcome.hint', { count: shortestPassword })} required autofocus />
      </Form>
      {knowsPasskeys && <Button kind="wide" label={t('welcome.orPasskey')} onClick={byPasskey} />}
    </Door>
  )
}

const isGone = (error: unknown) => error instanceof Problem && error.status === 404

/** In the place of a link that was used, or that is too old. */
function Over() {
  return (
    <Door title={t('welcome.over')}>
      <p class="door-note">{t('welcome.overWhat')}</p>
      <a class="button primary wide" href={pathTo([])}>
        {t(session.value ? 'common.toStart' : 'signIn.submit')}
      </a>
    </Door>
  )
}

/** Where a person chooses among their projects. */
export function Projects({ projects }: Pick<Session, 'projects'>) {
  return (
    <Door title={t('projects.title')}>
      {projects.length === 0 && <p class="door-note">{t('projects.none')}</p>}
      <ul class="choices">
        {projects.map(({ id, slug, name, role }) => (
          <li key={id}>
            <a href={pathTo(['in', slug, 'posts'])}>
              <strong>{name}</strong>
              <span>{t(`roles.${role}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Door>
  )
}
