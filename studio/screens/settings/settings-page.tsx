import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../i18n/catalogue.ts'
import { can, screenPath } from '../../route/router.ts'
import { PageHead, type PageHeadProps } from '../../ui/rows.tsx'

const tabs = { project: 'admin', keys: 'admin', webhooks: 'admin', people: 'people:manage' } as const
type Tab = keyof typeof tabs

/** The tab that was followed takes the focus again, for its page is drawn anew. */
const followed: { tab?: Tab | undefined } = {}

interface SettingsPageProps extends Pick<PageHeadProps, 'create'> {
  readonly tab: Tab
  /** Beside the heading. */
  readonly deeds?: ComponentChildren
  readonly children: ComponentChildren
}

/** What the pages of the settings have in common: the way to each other. */
export function SettingsPage({ tab, create, deeds, children }: SettingsPageProps) {
  const current = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (followed.tab === tab) current.current?.focus()
    followed.tab = undefined
  }, [])
  const offered = (Object.keys(tabs) as Tab[]).filter((name) => can(tabs[name]))
  return (
    <>
      <PageHead title={t('settings.title')} create={create}>
        {deeds}
      </PageHead>
      <nav class="tabs" aria-label={t('settings.title')}>
        {offered.map((name) => (
          <a
            key={name}
            class="tab"
            href={screenPath('settings', ...(name === 'project' ? [] : [name]))}
            onClick={() => Object.assign(followed, { tab: name })}
            {...(name === tab && { ref: current, 'aria-current': 'page' })}
          >
            {t(`settings.tab_${name}`)}
          </a>
        ))}
      </nav>
      <div class="settings">{children}</div>
    </>
  )
}
