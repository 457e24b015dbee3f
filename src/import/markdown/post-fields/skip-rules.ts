import { answerOf, textOf } from '../../front-matter/find-field.ts'
import type { SkipReason } from '../../source-post.ts'
import { nameOf } from '../file-path.ts'
import type { PostReading } from './parsed-post.ts'

/** `README`, `CODE_OF_CONDUCT`: what repositories say of themselves. */
const repositoryName = /^[A-Z][A-Z_-]+\.[a-z]+$/

/** Why a text is no post, as far as only its front matter and what lies around it can tell; undefined for a post. */
export function reasonToSkip(reading: PostReading, hasDate: boolean): SkipReason | undefined {
  const { file, facts, format } = reading
  if (isRedirect(reading)) return 'redirect'
  // Template engines write their pages in HTML, with front matter too; posts have a date.
  if (/\.html?$/i.test(file.path) && (format === 'none' || !hasDate)) return 'page'
  if (facts.isIndex) return file.isAmongPosts && !hasDate ? 'section' : undefined
  if (format !== 'none') return undefined
  if (repositoryName.test(nameOf(file.path))) return 'page'
  return file.isInBundle ? 'partial' : undefined
}

function isRedirect({ fields, body }: PostReading): boolean {
  if (textOf(fields, ['redirectTo']) !== null || textOf(fields, ['layout', 'type']) === 'redirect') return true
  const target = textOf(fields, ['redirect'])
  return target !== null && answerOf(target) === undefined && body.trim() === ''
}
