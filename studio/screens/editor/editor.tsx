import { openSearchPanel } from '@codemirror/search'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FieldName } from '../../api/edits.ts'
import { session } from '../../api/session.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'
import { can, leaving, navigate, returnTo, screenPath } from '../../route/router.ts'
import { useCommands } from '../../ui/commands.ts'
import { Button, Icon, PostStatus } from '../../ui/controls.tsx'
import { Dialog, show } from '../../ui/layers.tsx'
import { ProblemPanel, useLoaded } from '../../ui/loading.tsx'
import { Preview } from './preview.tsx'
import { Publish } from './publish.tsx'
import { Choice } from './saving/choice.tsx'
import { Draft } from './saving/draft.ts'
import { follow, keepVersion } from './saving/versions.ts'
import { Settings } from './settings.tsx'
import { makeEditor } from './text/text-editor.ts'
import { Tools } from './text/tools.tsx'

/** Who has saved so short a time ago is taken to be here. */
const recentMs = 300_000

/** The editor of a post; `new` is one that is not there yet. */
export function Screen({ id = 'new' }: { readonly id?: string }) {
  const draft = useMemo(() => new Draft(), [])
  const opened = useLoaded(id, (stop) => draft.open(id, stop))
  useEffect(() => {
    const stop = follow(draft)
    // Lists then show what was written.
    leaving.value = () => keepVersion(draft)
    return () => {
      stop()
      leaving.value = undefined
      void draft.keep()
      void keepVersion(draft).then(() => draft.release())
    }
  }, [draft])
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
  const [panel, setPanel] = useState<Panel>()
  const toggle = (name: Panel) => () => setPanel((before) => (before === name ? undefined : name))
  const settings = <Settings draft={draft} />
  const isUpdate = draft.isPublic.value || draft.goesOutWithout.value
  const deed = can('posts:publish') ? (isUpdate ? 'editor.update' : 'editor.publish') : 'editor.save'
  // Where there is no place beside the text they stand above it.
  const openSettings = () => {
    if (matchMedia('(min-width: 64rem)').matches) toggle('settings')()
    else if (!document.querySelector('dialog[open]')) show(<Dialog title={t('editor.settings')}>{settings}</Dialog>)
  }
  const publish = () => show(<Publish draft={draft} />)
  const toHistory = () => draft.post.value && navigate(screenPath('posts', draft.post.value.id, 'history'))
  // All of the page: dialogs and what is said of what was done stand beside the editor.
  const fillScreen = () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  useEffect(() => () => void (document.fullscreenElement && document.exitFullscreen()), [])
  useCommands([
    { title: t('editor.save'), keys: 'mod+s', run: () => void keepVersion(draft).then(() => draft.reload()) },
    { title: t(deed), keys: 'mod+enter', run: publish },
    { title: t('editor.preview'), keys: 'mod+p', run: toggle('preview') },
    { title: t('editor.settings'), keys: 'mod+.', run: openSettings },
    { title: t('editor.findAndReplace'), keys: 'mod+f', run: () => draft.editor.value && openSearchPanel(draft.editor.value) },
    { title: t('editor.fullScreen'), run: fillScreen },
    { title: t('history.title'), run: toHistory },
    { title: t('editor.toPosts'), run: () => returnTo(screenPath('posts')) },
  ])
  return (
    <div class={panel ? `desk with-${panel}` : 'desk'}>
      <header class="desk-bar">
        <a class="button quiet" href={screenPath('posts')} data-return aria-label={t('posts.title')}>
          <Icon name="back" />
          <span class="wide-only">{t('posts.title')}</span>
        </a>
        <State draft={draft} />
        <Button icon="eye" label={t('editor.preview')} aria-pressed={panel === 'preview'} onClick={toggle('preview')} />
        <Button icon="side" label={t('editor.settings')} aria-pressed={panel === 'settings'} onClick={openSettings} />
        <Button kind="primary" label={t(deed)} onClick={publish} />
      </header>
      <main class="desk-page">
        <Title draft={draft} />
        <Text draft={draft} />
      </main>
      <Tools draft={draft} onFullScreen={fillScreen} />
      {panel === 'preview' && <Preview draft={draft} onClose={toggle('preview')} />}
      {panel === 'settings' && (
        <aside class="desk-side" aria-label={t('editor.settings')}>
          {settings}
        </aside>
      )}
      {draft.dispute.value && <Choice draft={draft} dispute={draft.dispute.value} />}
    </div>
  )
}

/** What the post is, and whether all of it is saved. */
function State({ draft }: { readonly draft: Draft }) {
  const [post, pending, state] = [draft.post.value, draft.pending.value, draft.state.value]
  const oneself = session.value?.person.id ?? ''
  // A program writes, but it is not here.
  const isOther = pending && pending.actor !== oneself && pending.actor.split('_')[0] === oneself.split('_')[0]
  const other = isOther && Date.now() - Date.parse(pending.updatedAt) < recentMs && pending.actorName
  const { scheduledFor, problem } = pending ?? {}
  const missed = problem && t('editor.notUpdated', { date: formatDate(problem.at, 'time'), why: problem.detail })
  const kind = draft.goesOutWithout.value ? t('editor.goesOutWithout') : draft.isPublic.value && t('posts.pendingEdit')
  const faulty = Object.keys(draft.faults.value).map((name) => t(`editor.field_${name as FieldName}`))
  const note = missed ?? (scheduledFor ? t('editor.updatesAt', { date: formatDate(scheduledFor, 'time') }) : kind)
  return (
    <div class="desk-state">
      {post && <PostStatus post={post} />}
      {pending && note && <span class={draft.isPublic.value && !missed ? 'desk-note' : 'desk-note warn'}>{note}</span>}
      <span class={draft.isWaiting || state === 'refused' ? 'desk-note warn' : 'desk-note'} role="status">
        {other && `${t('editor.alsoHere', { name: other })} `}
        {(post || state !== 'saved') && t(`editor.state_${state}`)}
        {state === 'refused' && `: ${draft.failure.value?.why ?? faulty.join(', ')}`}
      </span>
    </div>
  )
}

/** The title grows with its text. A line break in it goes on to the text. */
function Title({ draft }: { readonly draft: Draft }) {
  const { title } = draft.fields.value
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!draft.post.peek()) element.current?.focus()
  }, [draft])
  return (
    <div class="desk-title">
      <h1 class="hidden">{title || t('editor.untitled')}</h1>
      <textarea
        rows={1}
        dir="auto"
        aria-label={t('editor.title')}
        placeholder={t('editor.title')}
        maxLength={300}
        ref={element}
        value={title}
        onInput={(event) =>
          draft.change({ title: event.currentTarget.value.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)) })
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.metaKey || event.ctrlKey) return
          event.preventDefault()
          draft.editor.value?.focus()
        }}
      />
      {draft.faults.value.title && <p class="note error">{draft.faults.value.title}</p>}
    </div>
  )
}

function Text({ draft }: { readonly draft: Draft }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!host.current) return
    const parent = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open', delegatesFocus: true })
    const made = makeEditor({ parent, text: draft.fields.peek().content, onChange: () => draft.type() })
    draft.editor.value = made
    if (draft.post.peek()) made.focus()
    return () => made.destroy()
  }, [draft])
  const fault = draft.faults.value.content
  return (
    <>
      <div class="desk-text" ref={host} />
      {fault && (
        <p class="desk-fault note error" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
