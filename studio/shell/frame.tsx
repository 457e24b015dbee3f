import type { ComponentChildren } from 'preact'
import { type Membership, session, signOut } from '../api/session.ts'
import { t } from '../i18n/catalogue.ts'
import { access, address, can, pathTo, screenPath } from '../route/router.ts'
import { Button, Icon, Menu } from '../ui/controls.tsx'
import { attempt, Dialog, show } from '../ui/layers.tsx'
import { openPalette } from './palette.tsx'
import { screens } from './screens.ts'

/** The navigation beside a screen; on a narrow window behind a button. */
export function Frame({ membership, children }: { readonly membership: Membership; readonly children: ComponentChildren }) {
  const side = <Side membership={membership} />
  const openSide = () =>
    show(
      <Dialog kind="side" title={t('nav.menu')}>
        {side}
      </Dialog>,
    )
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header class="topbar">
        <Button icon="menu" label={t('nav.menu')} onClick={openSide} />
        <span class="topbar-name">{membership.name}</span>
        <Button icon="search" label={t('palette.title')} onClick={openPalette} />
      </header>
      <div class="side">{side}</div>
      <main id="main" class="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Side({ membership }: { readonly membership: Membership }) {
  const others = session.value?.projects.filter(({ id }) => id !== membership.id) ?? []
  const open = address.value.parts[2]
  const name = <strong>{membership.name}</strong>
  const switches = others.map(({ slug, name: label }) => ({ label, href: pathTo(['in', slug, 'posts']) }))
  const offered = screens.filter(({ icon, scope }) => icon && (!scope || !access.value || can(scope)))
  const own = [
    { label: t('account.title'), href: screenPath('account') },
    { label: t('nav.signOut'), run: () => attempt(signOut) },
  ]
  return (
    <nav class="side-nav" aria-label={t('nav.label')}>
      <div class="side-project">
        {switches.length > 0 ? (
          <Menu buttonClass="button quiet side-switch" button={[name, <Icon key="down" name="down" />]} items={switches} />
        ) : (
          name
        )}
      </div>
      <div class={access.value ? 'side-list' : 'side-list unknown'}>
        <button type="button" class="side-item" onClick={openPalette}>
          <Icon name="search" />
          {t('palette.title')}
        </button>
        {offered.map(({ path, title, icon }) => (
          <a key={path} class="side-item" href={screenPath(path)} aria-current={open === path ? 'page' : undefined}>
            {icon && <Icon name={icon} />}
            {t(title)}
          </a>
        ))}
      </div>
      <div class="side-person">
        <Menu buttonClass="side-item" button={session.value?.person.name} items={own} />
      </div>
    </nav>
  )
}
