import { Problem } from '../api/verso.ts'
import { type MessageKey, t } from '../i18n/catalogue.ts'

const known: Readonly<Partial<Record<string, MessageKey>>> = {
  unreachable: 'problems.unreachable',
  unauthenticated: 'problems.unauthenticated',
  insufficient_scope: 'problems.forbidden',
  not_found: 'problems.notFound',
  stale_version: 'problems.stale',
  rate_limited: 'problems.slow',
  overloaded: 'problems.busy',
  internal: 'problems.internal',
}

/** What went wrong, for people. Problems of a form say what Verso says. */
export function problemText(error: unknown): string {
  if (!(error instanceof Problem)) return t('problems.internal')
  const key = known[error.code]
  return key ? t(key) : (error.errors[0]?.detail ?? error.message)
}

interface ProblemPanelProps {
  readonly error: unknown
  retry?(): void
}

/** In the place of what could not be loaded. */
export function ProblemPanel({ error, retry }: ProblemPanelProps) {
  return (
    <div class="empty" role="alert">
      <p>{problemText(error)}</p>
      {retry && (
        <button type="button" class="button" onClick={retry}>
          {t('common.retry')}
        </button>
      )}
    </div>
  )
}
