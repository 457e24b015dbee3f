import { computed } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { session, signOut } from '../api/session.ts'
import { chooseLanguage, language, languageNames, t } from '../i18n/catalogue.ts'
import { can, navigate, pathTo, project, screenPath, verso } from '../route/router.ts'
import { type Command, commands, keyNames, useCommands } from '../ui/commands.ts'
import { attempt, Dialog, show, useClose } from '../ui/layers.tsx'
import { useLoaded } from '../ui/loading.tsx'
import { screens } from './screens.ts'

export const openPalette = () => document.querySelector('.palette-input') ?? show(<Palette />)

const offered = computed((): readonly Command[] => {
  const here = project.value ? screens.filter(({ icon, inPalette, scope }) => (icon || inPalette) && (!scope || can(scope))) : []
  const projects = session.value?.projects.filter(({ id }) => id !== project.value?.id) ?? []
  const languages = languageNames.filter(({ code }) => code !== language())
  return [
    ...here.map(({ path, title }) => ({ title: t(title), run: () => navigate(screenPath(path)) })),
    ...projects.map(({ slug, name }) => ({ title: t('palette.toProject', { name }), run: () => navigate(pathTo(['in', slug, 'posts'])) })),
    { title: t('palette.title'), keys: 'mod+k', run: openPalette },
    { title: t('palette.keys'), keys: '?', run: () => show(<Keys />) },
    ...languages.map(({ code, name }) => ({ title: t('palette.language', { name }), run: () => chooseLanguage(code) })),
    ...(session.value ? [{ title: t('nav.signOut'), run: () => void attempt(signOut) }] : []),
  ]
})

/** Opens everything by name; `?` shows the keys. */
export const usePalette = () => useCommands(offered.value, true)

const folded = (text: string) =>
  text
    .toLocaleLowerCase(language())
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
const wordsOf = (text: string) => folded(text).split(/\s+/).filter(Boolean)

/** Commands whose words begin with what was typed, and posts whose title has it. */
function Palette() {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const close = useClose()
  const posts = usePosts(typed.trim())
  const isFound = ({ title, keys }: Command) =>
    keys !== 'mod+k' && wordsOf(typed).every((word) => wordsOf(title).some((each) => each.startsWith(word)))
  const found = [...commands().filter(isFound), ...posts]
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
    <Dialog kind="bare" title={t('palette.title')}>
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

function usePosts(search: string): readonly Command[] {
  const { value = [] } = useLoaded(search, async (stop) => {
    if (search === '' || !project.value) return []
    const query = { search, limit: 6, total: false, fields: ['title'], sort: '-updated_at' } as const
    return (await verso().posts.list(query, stop)).data
  })
  return value.map(({ id, title }) => ({ title, run: () => navigate(screenPath('posts', id)) }))
}

function Keys() {
  const keyed = commands().filter(({ keys }) => keys)
  return (
    <Dialog title={t('palette.keys')}>
      <dl class="keys">
        {keyed.map(({ title, keys = '' }) => (
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
