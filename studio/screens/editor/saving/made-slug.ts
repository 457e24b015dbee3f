import type { EditFields } from '../../../api/edits.ts'
import type { Post } from '../../../api/verso.ts'
import { t } from '../../../i18n/catalogue.ts'

/** As long as Verso lets a slug be. */
const maxLength = 80

/** The slug of a title, much as Verso makes it: `Low tide & wind` gives `low-tide-and-wind`. Empty for a title in another script. */
export function slugFrom(title: string): string {
  const spelled = title
    .normalize('NFKD')
    .replace(/[\p{M}'’]+/gu, '')
    .replaceAll('&', ' and ')
    .toLowerCase()
  let slug = ''
  for (const [word] of spelled.matchAll(/[a-z0-9]+/g)) {
    const longer = slug === '' ? word.slice(0, maxLength) : `${slug}-${word}`
    if (longer.length > maxLength) break
    slug = longer
  }
  return slug
}

/** Whether a slug was made from this title: `low-tide`, or `low-tide-2` where that was taken. */
export function isMadeFrom(title: string, slug: string): boolean {
  const made = slugFrom(title)
  return made !== '' && (slug === made || (slug.startsWith(`${made}-`) && /^\d+$/.test(slug.slice(made.length + 1))))
}

/** Whether the slug follows the title: as long as nobody has set it or seen it. */
export function followsTitle({ title, slug }: EditFields, post: Post | undefined): boolean {
  return post?.status === 'draft' && post.publishedAt === null && isMadeFrom(title.trim() || t('editor.untitled'), slug)
}

/** Changes of a post, with the slug that goes with a changed title. */
export function withSlug(given: Partial<EditFields>, fields: EditFields, post: Post | undefined): Partial<EditFields> {
  const slug = followsTitle(fields, post) && slugFrom(given.title ?? '')
  return slug ? { ...given, slug } : given
}
