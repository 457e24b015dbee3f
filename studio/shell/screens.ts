import type { ComponentType } from 'preact'
import type { MessageKey } from '../i18n/catalogue.ts'
import type { IconName } from '../ui/controls.tsx'

/** What a screen is given: the parts of its path that stand for `:name`. */
export interface ScreenProps {
  readonly id?: string
}

/** A chunk of its own, loaded when it is opened. */
type Load = () => Promise<{ Screen: ComponentType<ScreenProps> }>

export interface Screen {
  /** The path within a project, such as `posts/:id`. */
  readonly path: string
  readonly title: MessageKey
  /** Screens with an icon stand in the navigation and in the palette. */
  readonly icon?: IconName
  /** Stands in the palette without an icon. */
  readonly inPalette?: true
  /** Who lacks this scope is not offered the screen. */
  readonly scope?: string
  /** It fills the window: no navigation beside it. */
  readonly isWhole?: true
  readonly load: Load
}

const drafts = 'posts:read_drafts'
const names: Load = () => import('../screens/names/names.tsx')
const owner = { scope: 'admin', inPalette: true } as const

/** Every screen of a project, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { path: 'posts', title: 'posts.title', icon: 'posts', load: () => import('../screens/posts/posts.tsx') },
  { path: 'posts/:id', title: 'editor.screen', isWhole: true, load: () => import('../screens/editor/editor.tsx') },
  { path: 'calendar', title: 'calendar.title', icon: 'calendar', scope: drafts, load: () => import('../screens/calendar/calendar.tsx') },
  { path: 'media', title: 'media.title', icon: 'media', scope: 'media:read', load: () => import('../screens/media/media.tsx') },
  { path: 'authors', title: 'names.title_authors', icon: 'people', scope: 'authors:write', load: names },
  { path: 'categories', title: 'names.title_categories', icon: 'folder', scope: 'categories:write', load: names },
  { path: 'tags', title: 'names.title_tags', icon: 'tag', scope: 'posts:publish', load: names },
  { path: 'posts/:id/history', title: 'history.title', scope: drafts, load: () => import('../screens/history/history.tsx') },
  { path: 'trash', title: 'trash.title', icon: 'trash', scope: drafts, load: () => import('../screens/trash/trash.tsx') },
  { ...owner, path: 'settings', title: 'settings.title', icon: 'settings', load: () => import('../screens/settings/project-settings.tsx') },
  { ...owner, path: 'settings/keys', title: 'settings.tab_keys', load: () => import('../screens/settings/keys.tsx') },
  { ...owner, path: 'settings/webhooks', title: 'settings.tab_webhooks', load: () => import('../screens/settings/webhooks.tsx') },
  { path: 'settings/webhooks/:id', title: 'settings.tab_webhooks', scope: 'admin', load: () => import('../screens/settings/webhooks.tsx') },
  { ...owner, path: 'settings/people', title: 'settings.tab_people', load: () => import('../screens/settings/people.tsx') },
  { path: 'account', title: 'account.title', inPalette: true, load: () => import('../screens/account/account.tsx') },
]

/** The screen at a path, with the values of its parameters. */
export interface Found {
  readonly screen: Screen
  readonly props: ScreenProps
}

export function screenAt(parts: readonly string[]): Found | undefined {
  for (const screen of screens) {
    const pattern = screen.path.split('/')
    const fits = pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
    if (!fits) continue
    const given = pattern.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), parts[i] ?? '']] : []))
    return { screen, props: Object.fromEntries(given) as ScreenProps }
  }
  return undefined
}
