import { Problem } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'
import { problemText } from '../../../ui/loading.tsx'

/** Why a save came to nothing: nothing answered, Verso has a problem, or it refuses what was sent. `unkept`: nor has the browser kept it. */
export interface Failure {
  readonly state: 'offline' | 'failing' | 'unkept' | 'refused'
  readonly why?: string
}

export function failureOf(error: unknown, isKept: boolean | undefined): Failure {
  const status = error instanceof Problem ? error.status : 0
  if (status < 400) return { state: isKept ? 'offline' : 'unkept' }
  if (status >= 500 || status === 429) return { state: isKept ? 'failing' : 'unkept' }
  // Everybody may save an edit, but for one that goes out by itself.
  return { state: 'refused', why: status === 403 ? t('editor.onlyPublishers') : problemText(error) }
}
