import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Membership, session, signOut } from '../api/session.ts'
import { t } from '../i18n/catalogue.ts'
import { access, can, screenPath } from '../route/project.ts'
import { address, pathTo } from '../route/router.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { attempt } from '../ui/toasts.tsx'
import { openPalette } from './palette.tsx'
import { screens } from './screens.ts'

interface FrameProps {
  readonly membership: Membership
  readonly children: ComponentChildren
}

/** The navigation beside a screen; on a narrow window behind a button. */
export function Frame({ membership, children }: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header class="topbar">
        <button type="button" class="button quiet square" aria-label={t('nav.menu')} onClick={() => setOpen(true)}>
          <Icon name="menu" />
        </button>
        <span class="topbar-name">{membership.name}</span>
        <button type="button" class="button quiet square" aria-label={t('palette.title')} onClick={openPalette}>
          <Icon name="search" />
        </button>
      </header>
      <div class="side">
        <Side membership={membership} />
      </div>
      {isOpen && (
        <Dialog kind="side" title={t('nav.menu')} onClose={() => setOpen(false)}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: closes when a link in it is followed */}
          <div class="side-in-dialog" onClick={(event) => (event.target as Element).closest('a') && setOpen(false)}>
            <Side membership={membership} />
          </div>
        </Dialog>
      )}
      <main id="main" class="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Side({ membership }: { readonly membership: Membership }) {
  const others = session.value?.projects.filter(({ id }) => id !== membership.id) ?? []
  const open = address.value.parts[2]
  return (
    <nav class="side-nav" aria-label={t('nav.label')}>
      <div class="side-project">
        {others.length === 0 ? (
          <strong>{membership.name}</strong>
        ) : (
          <Menu
            buttonClass="button quiet side-switch"
            button={
              <>
                <strong>{membership.name}</strong>
                <Icon name="down" />
              </>
            }
          >
            {others.map(({ id, slug, name }) => (
              <a key={id} href={pathTo(['in', slug, 'posts'])}>
                {name}
              </a>
            ))}
          </Menu>
        )}
      </div>
      <div class={access.value ? 'side-list' : 'side-list unknown'}>
        <button type="button" class="side-item" onClick={openPalette}>
          <Icon name="search" />
          {t('palette.title')}
        </button>
        {screens
          .filter(({ icon, scope }) => icon && (!scope || !access.value || can(scope)))
          .map(({ path, title, icon }) => (
            <a key={path} class="side-item" href={screenPath(path)} aria-current={open === path ? 'page' : undefined}>
              {icon && <Icon name={icon} />}
              {t(title)}
            </a>
          ))}
      </div>
      <Person />
    </nav>
  )
}

function Person() {
  return (
    <div class="side-person">
      <Menu buttonClass="side-item" button={session.value?.person.name}>
        <a href={screenPath('account')}>{t('account.title')}</a>
        <button type="button" onClick={() => attempt(signOut)}>
          {t('nav.signOut')}
        </button>
      </Menu>
    </div>
  )
}
