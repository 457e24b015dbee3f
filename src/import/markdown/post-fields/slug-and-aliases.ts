import { isSlug, slugBase } from '../../../values/slug.ts'
import type { FieldMap } from '../../front-matter/field-value.ts'
import { booleanOf, findField, textOf, textsOf } from '../../front-matter/find-field.ts'
import { quoted } from '../../source-limits.ts'
import type { Note } from '../../source-post.ts'

/** A pattern that only the site generator can fill in, or a URL of another site. */
const foreign = /[{}<>:]|\/\//

export interface SourceAddress {
  /** Well-formed, or null if nothing of it is left. */
  readonly slug: string | null
  readonly written: string
  readonly from: 'front matter' | 'address' | 'file name'
}

/** The slug of a post: as given, else the last part of its URL path, else the name of its file. */
export function addressOf(fields: FieldMap, fileName: string, note: Note): SourceAddress {
  const given = textOf(fields, ['slug'])
  if (given !== null) return { ...wellFormed(given, note), from: 'front matter' }
  const last = lastPart(ownAddress(fields) ?? '')
  return last === '' ? { ...wellFormed(fileName, note), from: 'file name' } : { ...wellFormed(last, note), from: 'address' }
}

/** The URL path that the post names for itself. */
export function ownAddress(fields: FieldMap): string | null {
  const address = textOf(fields, ['path', 'permalink', 'url'])
  return address === null || foreign.test(address) || booleanOf(address) !== undefined ? null : address
}

export function aliasesOf(fields: FieldMap): readonly string[] {
  return textsOf(findField(fields, ['aliases', 'alias', 'redirectFrom'])?.value)
}

function wellFormed(written: string, note: Note): Pick<SourceAddress, 'slug' | 'written'> {
  const last = lastPart(written)
  const slug = isSlug(last) ? last : slugBase(last)
  if (slug === '' && written !== '') note(`nothing of the slug ${quoted(written)} can stay; one is made from the title`)
  else if (slug !== written && `/${slug}` !== written) note(`the slug ${quoted(written)} became "${slug}"`)
  return { slug: slug === '' ? null : slug, written }
}

function lastPart(address: string): string {
  const parts = address.split('/').filter((part) => part !== '' && !/^index\.html?$/.test(part))
  return (parts.at(-1) ?? '').replace(/\.html?$/, '')
}
