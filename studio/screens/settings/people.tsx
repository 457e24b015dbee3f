import { useState } from 'preact/hooks'
import { type Role, session } from '../../api/session.ts'
import { changePerson, invitePerson, listPeople, removePerson, renewLink, roles, signOutEverywhere } from '../../api/settings.ts'
import type { Person } from '../../api/verso.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { api } from '../../route/project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CancelButton, Choices, Confirm, Form, TextField, textIn } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLoaded } from '../../ui/loading.ts'
import { Menu } from '../../ui/menu.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { attempt, say } from '../../ui/toasts.tsx'
import { SettingsPage } from './settings-page.tsx'

interface Open {
  readonly kind: 'edit' | 'link' | 'remove'
  readonly person?: Person
  readonly link?: string
}

/** Who belongs to the project, and what they may do. */
export function People() {
  const list = useLoaded('people', (stop) => listPeople(api(), stop))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const done = (link?: string) => {
    setOpen(link ? { kind: 'link', link } : undefined)
    list.reload()
  }
  const remove = async (person: Person) => {
    await removePerson(api(), person)
    say(t('people.removed', { name: person.name }))
    done()
  }
  return (
    <SettingsPage tab="people" create={{ label: t('people.invite'), run: () => setOpen({ kind: 'edit' }) }}>
      <Rows label={t('settings.tab_people')} list={list}>
        {list.value?.map((person) => (
          <PersonRow key={person.id} person={person} onOpen={(kind) => setOpen({ kind, person })} onLink={done} />
        ))}
      </Rows>
      {open?.kind === 'edit' && <PersonDialog person={open.person} onClose={close} onDone={done} />}
      {open?.link && (
        <ShownOnce title={t('people.link')} label={t('people.link')} secret={open.link} note={t('people.onceLink')} onClose={close} />
      )}
      {open?.kind === 'remove' && open.person && (
        <Confirm
          title={t('people.removeNamed', { name: open.person.name })}
          text={t('people.removes')}
          submit={t('people.remove')}
          onConfirm={() => remove(open.person as Person)}
          onClose={close}
        />
      )}
    </SettingsPage>
  )
}

interface PersonRowProps {
  readonly person: Person
  onOpen(kind: 'edit' | 'remove'): void
  onLink(link: string): void
}

function PersonRow({ person, onOpen, onLink }: PersonRowProps) {
  const { id, name, role, lastSeenAt, linkExpiresAt } = person
  const isOneself = id === session.value?.person.id
  const about = [
    isOneself && t('people.oneself'),
    lastSeenAt ? t('people.seen', { when: formatSince(lastSeenAt) }) : t('people.neverSeen'),
    linkExpiresAt && t('people.linkUntil', { date: formatDate(linkExpiresAt, 'time') }),
  ]
  const signOut = () =>
    attempt(async () => {
      await signOutEverywhere(api(), person)
      say(t('people.signedOut', { name }))
    })
  return (
    <Row name={name} about={about} onOpen={() => onOpen('edit')}>
      <div class="row-side">
        {t(`roles.${role}`)}
        <Menu buttonClass="button quiet square" label={t('settings.more', { name })} button={<Icon name="more" />}>
          <button type="button" onClick={() => attempt(async () => onLink(await renewLink(api(), person)))}>
            {t('people.newLink')}
          </button>
          <button type="button" onClick={signOut}>
            {t('people.signOut')}
          </button>
          <button type="button" class="danger" onClick={() => onOpen('remove')}>
            {t('people.remove')}
          </button>
        </Menu>
      </div>
    </Row>
  )
}

interface PersonDialogProps {
  readonly person: Person | undefined
  onClose(): void
  /** With the link for somebody new. */
  onDone(link?: string): void
}

function PersonDialog({ person, onClose, onDone }: PersonDialogProps) {
  const save = async (values: FormData) => {
    const [name, role] = [textIn(values, 'name'), textIn(values, 'role') as Role]
    if (!person) return onDone(await invitePerson(api(), name, role))
    const edits = { ...(name !== person.name && { name }), ...(role !== person.role && { role }) }
    if (Object.keys(edits).length > 0) {
      await changePerson(api(), person, edits)
      say(t('names.saved', { name }), async () => {
        await changePerson(api(), person, { ...(edits.name && { name: person.name }), ...(edits.role && { role: person.role }) })
        onDone()
      })
    }
    onDone()
  }
  const choices = roles.map((value) => ({ value, label: t(`roles.${value}`), hint: t(`people.may_${value}`) }))
  return (
    <Dialog title={person?.name ?? t('people.invite')} onClose={onClose}>
      <Form submit={t(person ? 'settings.save' : 'people.makeLink')} aside={<CancelButton onClose={onClose} />} onSubmit={save}>
        {(faultOf) => (
          <>
            <TextField
              label={t('people.name')}
              name="name"
              value={person?.name}
              maxLength={100}
              required
              autofocus
              hint={t('people.nameHint')}
              faultOf={faultOf}
            />
            <Choices label={t('people.role')} name="role" value={person?.role ?? 'writer'} choices={choices} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
