import { useEffect } from 'preact/hooks'
import { type Membership, openSession, session } from '../api/session.ts'
import { t } from '../i18n/catalogue.ts'
import { address, api, navigate, pathTo, project } from '../route/router.ts'
import { Projects, SignIn, Welcome } from '../screens/door/door.tsx'
import { attempt, Layers, Toasts } from '../ui/layers.tsx'
import { ProblemPanel, useLoaded } from '../ui/loading.tsx'
import { Frame } from './frame.tsx'
import { usePalette } from './palette.tsx'
import { type Found, screenAt } from './screens.ts'

/** The whole studio. */
export function App() {
  usePalette()
  return (
    <>
      <Door />
      <Layers />
      <Toasts />
    </>
  )
}

/** Lets in who is signed in; the address stays, so that one goes on where one was. */
function Door() {
  const opened = useLoaded('session', async () => session.peek() === undefined && openSession())
  if (address.value.parts[0] === 'welcome') return <Welcome />
  if (opened.error && session.value === undefined) return <ProblemPanel error={opened.error} retry={opened.reload} />
  if (session.value === undefined) return <Waiting />
  if (session.value === null) return <SignIn />
  if (project.value) return <Inside key={project.value.id} membership={project.value} />
  // One project is opened at once; among several one chooses.
  const { projects } = session.value
  const [only, another] = projects
  return only && !another ? <Forward slug={only.slug} /> : <Projects projects={projects} />
}

/** To the first screen of a project. */
function Forward({ slug }: { readonly slug: string }) {
  useEffect(() => navigate(pathTo(['in', slug, 'posts']), { replace: true }), [slug])
  return <Waiting />
}

function Inside({ membership }: { readonly membership: Membership }) {
  const learned = useLoaded(membership.id, async () => api.value?.open())
  const parts = address.value.parts.slice(2)
  const found = screenAt(parts)
  useEffect(() => {
    document.title = found ? `${t(found.screen.title)} · ${membership.name}` : membership.name
  }, [found, membership])
  // Its script comes while the token is fetched.
  useEffect(() => void found?.screen.load().catch(() => undefined), [found?.screen])
  if (parts.length === 0) return <Forward slug={membership.slug} />
  if (learned.error) return <ProblemPanel error={learned.error} retry={learned.reload} />
  const shown = found ? <Shown key={parts.join('/')} {...found} /> : <NotFound />
  return found?.screen.isWhole ? shown : <Frame membership={membership}>{shown}</Frame>
}

/** A screen, once its script is there. What did not come, browsers do not ask for again in the same page. */
function Shown({ screen: { path, load }, props }: Found) {
  const { value: loaded, error } = useLoaded(path, () => load().catch(whyNot))
  const loadPage = () =>
    attempt(async () => {
      await openSession()
      location.reload()
    })
  if (error) return <ProblemPanel error={error} retry={loadPage} />
  return loaded ? <loaded.Screen {...props} /> : <Waiting />
}

/** What is wrong with a script that did not come: mostly, the service cannot be reached. */
async function whyNot(error: unknown): Promise<never> {
  await openSession()
  throw error
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
