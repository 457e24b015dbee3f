import { useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Membership, openSession, session } from '../api/session.ts'
import { forgetAll } from '../api/verso.ts'
import { t } from '../i18n/catalogue.ts'
import { learnAccess, project } from '../route/project.ts'
import { address, navigate, pathTo } from '../route/router.ts'
import { SignIn } from '../screens/sign-in/sign-in.tsx'
import { useLoaded } from '../ui/loading.ts'
import { ProblemPanel } from '../ui/problem.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Frame } from './frame.tsx'
import { Palette } from './palette.tsx'
import { type ScreenProps, screenAt } from './screens.ts'

const welcome = () => import('../screens/welcome/welcome.tsx').then((file) => file.Welcome)
const projects = () => import('../screens/projects/projects.tsx').then((file) => file.Projects)

/** The whole studio. */
export function App() {
  return (
    <>
      <Door />
      <Palette />
      <Toasts />
    </>
  )
}

/** Lets in who is signed in; the address stays, so that one goes on where one was. */
function Door() {
  const opened = useLoaded('session', async () => session.peek() === undefined && openSession())
  useSignalEffect(() => {
    if (session.value === null) forgetAll()
  })
  if (address.value.parts[0] === 'welcome') return <Lazy name="welcome" load={welcome} props={{}} />
  if (opened.error && session.value === undefined) return <ProblemPanel error={opened.error} retry={opened.reload} />
  if (session.value === undefined) return <Waiting />
  if (session.value === null) return <SignIn />
  if (project.value) return <Inside key={project.value.id} membership={project.value} />
  return <Start projects={session.value.projects} />
}

/** One project is opened at once; among several one chooses. */
function Start({ projects: memberships }: { readonly projects: readonly Membership[] }) {
  const [only] = memberships
  const isChoice = memberships.length !== 1
  useEffect(() => {
    if (!isChoice && only) navigate(pathTo(['in', only.slug, 'posts']), { replace: true })
  }, [isChoice, only])
  return isChoice ? <Lazy name="projects" load={projects} props={{}} /> : <Waiting />
}

function Inside({ membership }: { readonly membership: Membership }) {
  const learned = useLoaded(membership.id, () => learnAccess(membership))
  const parts = address.value.parts.slice(2)
  const found = screenAt(parts)
  const isStart = parts.length === 0
  useEffect(() => {
    if (isStart) navigate(pathTo(['in', membership.slug, 'posts']), { replace: true })
  }, [isStart, membership])
  useEffect(() => {
    document.title = found ? `${t(found.screen.title)} · ${membership.name}` : membership.name
  }, [found, membership])
  // Its script comes while the token is fetched.
  useEffect(() => void found?.screen.load().catch(() => undefined), [found?.screen])
  if (learned.error) return <ProblemPanel error={learned.error} retry={learned.reload} />
  const shown = found ? (
    <Lazy key={parts.join('/')} name={found.screen.path} load={found.screen.load} props={found.props} />
  ) : (
    !isStart && <NotFound />
  )
  return found?.screen.isWhole ? shown : <Frame membership={membership}>{shown}</Frame>
}

interface LazyProps {
  readonly name: string
  readonly props: ScreenProps
  load(): Promise<ComponentType<ScreenProps>>
}

function Lazy({ name, load, props }: LazyProps) {
  const { value: Component, error, reload } = useLoaded(name, async () => ({ Screen: await load() }))
  if (error) return <ProblemPanel error={error} retry={reload} />
  return Component ? <Component.Screen {...props} /> : <Waiting />
}

/** Says nothing at first: most things are there at once. */
function Waiting() {
  return <div class="waiting" role="status" aria-label={t('common.loading')} />
}

function NotFound() {
  return (
    <div class="empty">
      <h1>{t('problems.noScreen')}</h1>
      <a class="button" href={pathTo([])}>
        {t('common.toStart')}
      </a>
    </div>
  )
}
