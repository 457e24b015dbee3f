import { openSession, type Role, session } from '../../api/session.ts'
import { everyItem, type Person, type PersonWithLink } from '../../api/verso.ts'
import { formatDate, formatSince, t } from '../../i18n/catalogue.ts'
import { verso } from '../../route/router.ts'
import { saveEdit } from '../../ui/changing.ts'
import { Icon, Menu } from '../../ui/controls.tsx'
import { Choices, confirm, FormDialog, TextField, textIn } from '../../ui/form.tsx'
import { attempt, say, show } from '../../ui/layers.tsx'
import { useLoaded } from '../../ui/loading.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { SettingsPage } from './settings-page.tsx'

const roles = ['writer', 'editor', 'owner'] as const satisfies readonly Role[]

const linkOf = (person: Person | PersonWithLink) => (
  <ShownOnce title={t('people.link')} label={t('people.link')} secret={'link' in person ? person.link : ''} note={t('people.onceLink')} />
)

/** Who belongs to the project, and what they may do. */
export function Screen() {
  const list = useLoaded('people', (stop) => everyItem(verso().pages('GET /v1/admin/people', { limit: 100, total: false }, stop)))
  /** Who changes their own name sees it at once, and who has left the project is no longer in it. */
  const reload = (changed?: Person) => {
    list.reload()
    if (changed && changed.id === session.peek()?.person.id) void attempt(openSession)
  }
  const open = (person?: Person) => show(<PersonDialog person={person} onDone={() => reload(person)} />)
  const remove = (person: Person) => {
    const onConfirm = () =>
      verso()
        .request('DELETE /v1/admin/people/{id}', { id: person.id })
        .then(() => reload(person))
    confirm({ deed: 'remove', name: person.name, text: t('people.removes'), onConfirm })
  }
  const renewLink = async ({ id }: Person) => {
    show(linkOf(await verso().request('POST /v1/admin/people/{id}/link', { id })))
    reload()
  }
  const signOut = async ({ id, name }: Person) => {
    await verso().request('DELETE /v1/admin/people/{id}/sessions', { id })
    say(t('people.signedOut', { name }))
  }
  const deeds = (person: Person) => [
    { label: t('people.newLink'), run: () => attempt(() => renewLink(person)) },
    { label: t('people.signOut'), run: () => attempt(() => signOut(person)) },
    { label: t('deeds.remove'), isDanger: true, run: () => remove(person) },
  ]
  return (
    <SettingsPage tab="people" create={{ label: t('people.invite'), run: () => open() }}>
      <Rows label={t('settings.tab_people')} list={list}>
        {(person) => (
          <Row key={person.id} name={person.name} about={aboutPerson(person)} onOpen={() => open(person)}>
            {t(`roles.${person.role}`)}
            <Menu label={t('settings.more', { name: person.name })} button={<Icon name="more" />} items={deeds(person)} />
          </Row>
        )}
      </Rows>
    </SettingsPage>
  )
}

function aboutPerson({ id, lastSeenAt, linkExpiresAt }: Person) {
  return [
    id === session.value?.person.id && t('people.oneself'),
    lastSeenAt ? t('people.seen', { when: formatSince(lastSeenAt) }) : t('people.neverSeen'),
    linkExpiresAt && t('people.linkUntil', { date: formatDate(linkExpiresAt, 'time') }),
  ]
}

function PersonDialog({ person, onDone }: { readonly person: Person | undefined; onDone(): void }) {
  const save = async (values: FormData) => {
    const body = { name: textIn(values, 'name'), role: textIn(values, 'role') as Role }
    if (person) {
      const put = (edits: object, { id }: Person) => verso().request('PATCH /v1/admin/people/{id}', { id, body: edits })
      return saveEdit({ before: person, after: body, said: t('names.saved', body), put, onDone })
    }
    const invited = await verso().request('POST /v1/admin/people', { body })
    onDone()
    return linkOf(invited)
  }
  const choices = roles.map((role) => [role, t(`roles.${role}`), t(`people.may_${role}`)] as const)
  return (
    <FormDialog title={person?.name ?? t('people.invite')} submit={t(person ? 'settings.save' : 'people.makeLink')} onSubmit={save}>
      <TextField label={t('people.name')} name="name" value={person?.name} maxLength={100} required autofocus hint={t('people.nameHint')} />
      <Choices label={t('people.role')} name="role" value={[person?.role ?? 'writer']} choices={choices} />
    </FormDialog>
  )
}
