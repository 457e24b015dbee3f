import { signal } from '@preact/signals'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { session, signOut } from '../api/session.ts'
import { chooseLanguage, language, languageNames, t } from '../i18n/catalogue.ts'
import { api, can, project, screenPath } from '../route/project.ts'
import { navigate, pathTo } from '../route/router.ts'
import { type Command, commands, keyNames, useCommands } from '../ui/commands.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useLoaded } from '../ui/loading.ts'
import { attempt } from '../ui/toasts.tsx'
import { screens } from './screens.ts'

const shown = signal<'palette' | 'keys' | undefined>(undefined)
const close = () => {
  shown.value = undefined
}

export function openPalette(): void {
  shown.value = 'palette'
}

/** Opens everything by name; `?` shows the keys. */
export function Palette() {
  const [person, open] = [session.value?.person, project.value]
  const offered = useMemo(() => [...goingCommands(), ...studioCommands()], [person, open, can('posts:read')])
  useCommands(offered)
  if (shown.value === 'palette') return <Search />
  return shown.value === 'keys' ? <Keys /> : null
}

function goingCommands(): readonly Command[] {
  if (!project.value) return []
  const here = screens.filter(({ icon, inPalette, scope }) => (icon || inPalette) && (!scope || can(scope)))
  const others = session.value?.projects.filter(({ id }) => id !== project.value?.id) ?? []
  return [
    ...here.map(({ path, title }) => ({ title: t(title), run: () => navigate(screenPath(path)) })),
    ...others.map(({ slug, name }) => ({
      title: t('palette.toProject', { name }),
      run: () => navigate(pathTo(['in', slug, 'posts'])),
    })),
  ]
}

function studioCommands(): readonly Command[] {
  const others = languageNames.filter(({ code }) => code !== language())
  return [
    { title: t('palette.title'), keys: 'mod+k', run: openPalette },
    {
      title: t('palette.keys'),
      keys: '?',
      run: () => {
        shown.value = 'keys'
      },
    },
    ...others.map(({ code, name }) => ({ title: t('palette.language', { name }), run: () => chooseLanguage(code) })),
    ...(session.value ? [{ title: t('nav.signOut'), run: () => void attempt(signOut) }] : []),
  ]
}

const folded = (text: string) => text.toLocaleLowerCase(language()).normalize('NFD').replace(/\p{M}/gu, '')

/** Commands whose words begin with what was typed, and posts whose title has it. */
function Search() {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const posts = usePosts(typed)
  const words = folded(typed).split(/\s+/).filter(Boolean)
  const isFound = ({ title }: Command) =>
    words.every((word) =>
      folded(title)
        .split(/\s+/)
        .some((each) => each.startsWith(word)),
    )
  const found = [...commands().filter((command) => command.keys !== 'mod+k' && isFound(command)), ...posts]
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [id, chosen])
  const run = (command: Command | undefined) => {
    close()
    command?.run()
  }
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter' && !event.isComposing) run(found[chosen])
    else if (step !== 0) setAt((chosen + step + found.length) % Math.max(1, found.length))
    else return
    event.preventDefault()
  }
  return (
    <Dialog kind="bare" title={t('palette.title')} onClose={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={t('palette.title')}
        placeholder={t('palette.placeholder')}
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      <div class="palette-list" role="listbox" id={id} aria-label={t('palette.title')}>
        {found.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input has the focus and the keys
          <div
            key={`${command.title}${i}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            {command.keys && <kbd>{keyNames(command.keys)}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="palette-none">{t('palette.nothing')}</p>}
    </Dialog>
  )
}

function usePosts(typed: string): readonly Command[] {
  const search = typed.trim()
  const { value = [] } = useLoaded(search, async (stop) => {
    if (search === '' || !project.value) return []
    const query = { search, limit: 6, total: false, fields: ['title'], sort: '-updated_at' } as const
    return (await api().verso.posts.list(query, { signal: stop })).data
  })
  return value.map(({ id, title }) => ({ title, run: () => navigate(screenPath('posts', id)) }))
}

function Keys() {
  return (
    <Dialog title={t('palette.keys')} onClose={close}>
      <dl class="keys">
        {commands()
          .filter(({ keys }) => keys)
          .map(({ title, keys = '' }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <kbd>{keyNames(keys)}</kbd>
              </dd>
            </div>
          ))}
      </dl>
    </Dialog>
  )
}
