import type { ComponentType } from 'preact'
import type { MessageKey } from '../i18n/catalogue.ts'
import type { IconName } from '../ui/icon.tsx'

/** What a screen is given: the parts of its path that stand for `:name`. */
export interface ScreenProps {
  readonly id?: string
}

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
  /** The screen is a chunk of its own, loaded when it is opened. */
  load(): Promise<ComponentType<ScreenProps>>
}

/** Every screen of a project, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { path: 'posts', title: 'posts.title', icon: 'posts', load: async () => (await import('../screens/posts/posts.tsx')).Posts },
  { path: 'posts/:id', title: 'editor.screen', isWhole: true, load: async () => (await import('../screens/editor/editor.tsx')).Editor },
  {
    path: 'calendar',
    title: 'calendar.title',
    icon: 'calendar',
    scope: 'posts:read_drafts',
    load: async () => (await import('../screens/calendar/calendar.tsx')).Calendar,
  },
  {
    path: 'media',
    title: 'media.title',
    icon: 'media',
    scope: 'media:read',
    load: async () => (await import('../screens/media/media.tsx')).Media,
  },
  { path: 'authors', title: 'names.title_authors', icon: 'people', scope: 'authors:write', load: async () => (await names()).Authors },
  {
    path: 'categories',
    title: 'names.title_categories',
    icon: 'folder',
    scope: 'categories:write',
    load: async () => (await names()).Categories,
  },
  { path: 'tags', title: 'names.title_tags', icon: 'tag', scope: 'posts:publish', load: async () => (await names()).Tags },
  {
    path: 'posts/:id/history',
    title: 'history.title',
    scope: 'posts:read_drafts',
    load: async () => (await import('../screens/history/history.tsx')).History,
  },
  {
    path: 'trash',
    title: 'trash.title',
    icon: 'trash',
    scope: 'posts:read_drafts',
    load: async () => (await import('../screens/trash/trash.tsx')).Trash,
  },
  {
    path: 'settings',
    title: 'settings.title',
    icon: 'settings',
    scope: 'admin',
    load: async () => (await import('../screens/settings/project-settings.tsx')).ProjectSettings,
  },
  {
    path: 'settings/keys',
    title: 'settings.tab_keys',
    inPalette: true,
    scope: 'admin',
    load: async () => (await import('../screens/settings/keys.tsx')).Keys,
  },
  {
    path: 'settings/webhooks',
    title: 'settings.tab_webhooks',
    inPalette: true,
    scope: 'admin',
    load: async () => (await import('../screens/settings/webhooks.tsx')).Webhooks,
  },
  {
    path: 'settings/webhooks/:id',
    title: 'settings.tab_webhooks',
    scope: 'admin',
    load: async () => (await import('../screens/settings/webhook.tsx')).WebhookPage,
  },
  {
    path: 'settings/people',
    title: 'settings.tab_people',
    inPalette: true,
    scope: 'people:manage',
    load: async () => (await import('../screens/settings/people.tsx')).People,
  },
  { path: 'account', title: 'account.title', inPalette: true, load: async () => (await import('../screens/account/account.tsx')).Account },
]

/** Authors, categories and tags are one chunk. */
const names = () => import('../screens/names/names.tsx')

interface Match {
  readonly screen: Screen
  readonly props: ScreenProps
}

/** The screen at a path, with the values of its parameters. */
export function screenAt(parts: readonly string[]): Match | undefined {
  for (const screen of screens) {
    const pattern = screen.path.split('/')
    const fits = pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
    if (!fits) continue
    const given = pattern.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), parts[i] ?? '']] : []))
    return { screen, props: Object.fromEntries(given) as ScreenProps }
  }
  return undefined
}
