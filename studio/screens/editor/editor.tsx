import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { session } from '../../api/session.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { api, can, project, screenPath } from '../../route/project.ts'
import { navigate, rename } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded, useMedia } from '../../ui/loading.ts'
import { ProblemPanel } from '../../ui/problem.tsx'
import { PostStatus } from '../../ui/status.tsx'
import { Preview } from './preview.tsx'
import { Publish } from './publish.tsx'
import { Choice } from './saving/choice.tsx'
import { Draft } from './saving/draft.ts'
import { follow } from './saving/follow.ts'
import { keepVersion } from './saving/versions.ts'
import { Settings } from './sidebar/settings.tsx'
import { Text } from './text/text.tsx'
import type { TextEditor } from './text/text-editor.ts'
import { Tools } from './text/tools.tsx'
import { Title } from './title.tsx'

/** Who has saved so short a time ago is taken to be here. */
const recentMs = 300_000

/** The editor of a post; `new` is one that is not there yet. */
export function Editor({ id = 'new' }: { readonly id?: string }) {
  const projectId = project.value?.id ?? ''
  const draft = useMemo(() => new Draft(api(), projectId, (made) => rename(screenPath('posts', made))), [projectId])
  const opened = useLoaded(id, async (stop) => {
    await draft.open(id === 'new' ? undefined : id, stop)
    return true
  })
  useEffect(
    () => () => {
      draft.close()
      void keepVersion(draft)
    },
    [draft],
  )
  useEffect(() => follow(draft), [draft])
  if (opened.error)
    return (
      <main class="page">
        <ProblemPanel error={opened.error} retry={opened.reload} />
      </main>
    )
  return opened.value ? <Desk draft={draft} /> : <div class="waiting" />
}

type Panel = 'settings' | 'preview'

function Desk({ draft }: { readonly draft: Draft }) {
  const editor = useSignal<TextEditor | undefined>(undefined)
  const [isPublishing, setPublishing] = useState(false)
  const [panel, setPanel] = useState<Panel | undefined>()
  const root = useRef<HTMLDivElement>(null)
  const toggle = (name: Panel) => setPanel((before) => (before === name ? undefined : name))
  useCommands(
    useMemo(
      () => [
        { title: t('editor.save'), keys: 'mod+s', run: () => void keepVersion(draft).then(() => draft.reload()) },
        { title: t('editor.publish'), keys: 'mod+enter', run: () => setPublishing(true) },
        { title: t('editor.preview'), keys: 'mod+p', run: () => setPanel((before) => (before === 'preview' ? undefined : 'preview')) },
        { title: t('editor.settings'), keys: 'mod+.', run: () => setPanel((before) => (before === 'settings' ? undefined : 'settings')) },
        { title: t('editor.findAndReplace'), keys: 'mod+f', run: () => editor.peek()?.find() },
        { title: t('editor.fullScreen'), run: () => void fullScreen(root.current) },
        { title: t('editor.toPosts'), run: () => void leave(draft) },
      ],
      [draft, editor],
    ),
  )
  const isWide = useMedia('(min-width: 64rem)')
  const settings = <Settings draft={draft} />
  return (
    <div class={panel ? `desk with-${panel}` : 'desk'} ref={root}>
      <header class="desk-bar">
        <a
          class="button quiet"
          href={screenPath('posts')}
          aria-label={t('posts.title')}
          onClick={(event) => {
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            void leave(draft)
          }}
        >
          <Icon name="back" />
          <span class="wide-only">{t('posts.title')}</span>
        </a>
        <State draft={draft} />
        <button
          type="button"
          class="button quiet square"
          aria-label={t('editor.preview')}
          aria-pressed={panel === 'preview'}
          onClick={() => toggle('preview')}
        >
          <Icon name="eye" />
        </button>
        <button
          type="button"
          class="button quiet square"
          aria-label={t('editor.settings')}
          aria-pressed={panel === 'settings'}
          onClick={() => toggle('settings')}
        >
          <Icon name="side" />
        </button>
        <button type="button" class="button primary" onClick={() => setPublishing(true)}>
          {t(draft.isPublic.value ? 'editor.update' : can('posts:publish') ? 'editor.publish' : 'editor.save')}
        </button>
      </header>
      <main class="desk-page">
        <Title draft={draft} onEnter={() => editor.peek()?.view.focus()} />
        <Text draft={draft} editor={editor} />
      </main>
      <Tools draft={draft} editor={editor} onFullScreen={() => void fullScreen(root.current)} />
      {panel === 'preview' && <Preview draft={draft} onClose={() => setPanel(undefined)} />}
      {panel === 'settings' && isWide && (
        <aside class="desk-side" aria-label={t('editor.settings')}>
          {settings}
        </aside>
      )}
      {panel === 'settings' && !isWide && (
        <Dialog title={t('editor.settings')} onClose={() => setPanel(undefined)}>
          {settings}
        </Dialog>
      )}
      {isPublishing && <Publish draft={draft} onClose={() => setPublishing(false)} />}
      {draft.dispute.value && <Choice draft={draft} dispute={draft.dispute.value} />}
    </div>
  )
}

/** To the list, which then shows what was written. */
async function leave(draft: Draft): Promise<void> {
  await keepVersion(draft)
  navigate(screenPath('posts'))
}

async function fullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await element?.requestFullscreen()
}

/** What the post is, and whether all of it is saved. */
function State({ draft }: { readonly draft: Draft }) {
  const post = draft.post.value
  const isLocal = draft.state.value === 'offline'
  const pending = draft.pending.value
  const oneself = session.value?.person.id ?? ''
  // A program writes, but it is not here.
  const isOther = pending && pending.actor !== oneself && pending.actor.split('_')[0] === oneself.split('_')[0]
  const others = isOther && Date.now() - Date.parse(pending.updatedAt) < recentMs ? pending.actorName : undefined
  return (
    <div class="desk-state">
      {post && <PostStatus post={post} />}
      {post?.status === 'published' && pending && (
        <span class="desk-note">
          {pending.scheduledFor ? t('editor.updatesAt', { date: formatDate(pending.scheduledFor, 'time') }) : t('posts.pendingEdit')}
        </span>
      )}
      <span class={isLocal ? 'desk-note warn' : 'desk-note'} role="status">
        {others && `${t('editor.alsoHere', { name: others })} `}
        {(post || draft.state.value !== 'saved') && t(`editor.state_${draft.state.value}`)}
      </span>
    </div>
  )
}
