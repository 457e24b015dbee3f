import type { Revision } from '../../api/revisions.ts'
import { session } from '../../api/session.ts'
import { formatDate, t } from '../../i18n/catalogue.ts'

interface VersionProps {
  readonly revision: Revision
  readonly path: string
  readonly isChosen: boolean
  readonly isNow: boolean
}

/** A version in the list: when, who, and what changed. */
export function Version({ revision, path, isChosen, isNow }: VersionProps) {
  const { version, createdAt, changed } = revision
  const what = version === 1 ? t('history.created') : changed.map((field) => t(`history.field_${field}`)).join(', ')
  return (
    <li>
      <a class="history-version" href={path} aria-current={isChosen ? 'true' : undefined}>
        <span class="history-when">
          <time dateTime={createdAt}>{formatDate(createdAt, 'time')}</time>
          <span>{isNow ? t('history.now') : version}</span>
        </span>
        <span class="history-what">{[whoWrote(revision), what].filter(Boolean).join(' · ')}</span>
      </a>
    </li>
  )
}

function whoWrote({ actor }: Revision): string {
  if (actor === session.value?.person.id) return session.value.person.name
  const known = { cli: 'cli', import: 'import', schedule: 'schedule' } as const
  const name = Object.values(known).find((each) => each === actor)
  return name ? t(`history.by_${name}`) : actor.startsWith('key_') ? t('history.by_key') : actor
}
