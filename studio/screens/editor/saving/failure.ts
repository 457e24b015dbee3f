import { Problem } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'
import { problemText } from '../../../ui/loading.tsx'

/** Why a save came to nothing: nothing answered, Verso has a problem, or it refuses what was sent. */
export interface Failure {
  readonly state: 'offline' | 'failing' | 'refused'
  readonly why?: string
}

export function failureOf(error: unknown): Failure {
  const status = error instanceof Problem ? error.status : 0
  if (status < 400) return { state: 'offline' }
  if (status >= 500 || status === 429) return { state: 'failing' }
  // Everybody may save an edit, but for one that goes out by itself.
  return { state: 'refused', why: status === 403 ? t('editor.onlyPublishers') : problemText(error) }
}
