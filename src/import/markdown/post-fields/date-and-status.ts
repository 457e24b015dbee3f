import type { Instant } from '../../../values/instant.ts'
import { isFieldMap } from '../../front-matter/field-value.ts'
import { booleanOf, type FieldNames, findFields, textOf } from '../../front-matter/find-field.ts'
import { quoted } from '../../source-limits.ts'
import { isTextFault, type SourcePost, type TextFault } from '../../source-post.ts'
import { addressDate } from '../file-path.ts'
import { hasZone, readDate } from './parse-date.ts'
import { faultOf, type PostReading } from './parsed-post.ts'
import { ownAddress } from './slug-and-aliases.ts'
import { isDraft, isRetired } from './visibility.ts'

export const dateNames: FieldNames = [
  'date',
  'pubDate',
  'pubDatetime',
  'published',
  'publishDate',
  'publishedAt',
  'publishedOn',
  'publishedDate',
  'publicationDate',
  'datePublished',
  'postDate',
  'posted',
  'postedAt',
  'created',
  'createdAt',
  'createdDate',
  'dateCreated',
]
/** Before this date Hugo and others do not show a post, whatever its own date is. */
export const notBeforeNames: FieldNames = [
  ...['publishDate', 'pubDate', 'pubDatetime', 'publishedAt', 'publishOn', 'publishAt', 'publishAfter'],
  ...['embargo', 'embargoUntil', 'releaseDate', 'goLive', 'goLiveDate', 'scheduled', 'scheduledFor', 'scheduledAt'],
]
export const expiryNames: FieldNames = ['expiryDate', 'unpublishDate', 'expires', 'expireDate', 'expirationDate', 'validUntil']
export const updatedNames: FieldNames = [
  'updated',
  'lastmod',
  'updatedDate',
  'updatedAt',
  'lastModified',
  'lastModifiedAt',
  'modified',
  'modDatetime',
  'dateModified',
]
/** Words of Eleventy for times that only Eleventy knows. */
const toolsDates = new Set(['last modified', 'created', 'git last modified', 'git created'])

export interface SourceDate {
  readonly date: Instant | null
  readonly from: 'front matter' | 'address' | 'file name' | null
}

/** The publication date: from front matter, else from the URL path, else from the names of file and folders. */
export function dateOf(reading: PostReading): SourceDate | TextFault {
  const found = ownDate(reading)
  if (isTextFault(found)) return found
  const { note, settings } = reading
  for (const name of notBeforeNames) {
    const later = dateField(reading, [name])
    const date = later && readDate(later.value, reading.timezone)
    if (date && date > settings.now && (found.date === null || date > found.date)) {
      note(`"${later.name}" is later than the date; the post is scheduled for it`)
      return { date, from: 'front matter' }
    }
  }
  return found
}

function ownDate(reading: PostReading): SourceDate | TextFault {
  const given = dateField(reading, dateNames)
  const address = addressDate(ownAddress(reading.fields) ?? '')
  const named = reading.facts.date
  if (given) {
    const date = toDate(reading, given.value, 'front matter', given.name)
    const instead = isTextFault(date) && named !== null ? toDate(reading, named, 'file name') : date
    if (!isTextFault(date) || isTextFault(instead)) return date
    reading.note(`${date.fault}; the date of the file name was taken`)
    return instead
  }
  if (address !== null) return toDate(reading, address, 'address')
  return named === null ? { date: null, from: null } : toDate(reading, named, 'file name')
}

/** When the post was changed last. No post is refused for the sake of that date, which is not kept. */
export function updatedOf(reading: PostReading): Instant | null {
  const given = dateField(reading, updatedNames)
  const date = given && readDate(given.value, reading.timezone)
  if (given && !date) reading.note(`the ${given.name} ${quoted(given.value)} does not exist or cannot be read; left out`)
  return date ?? null
}

/** What was not public comes in as a draft. What was public once comes in as archived. */
export function statusOf(reading: PostReading): SourcePost['status'] {
  if (isDraft(reading)) return 'draft'
  return hasExpired(reading) || isRetired(reading) ? 'archived' : 'published'
}

function hasExpired(reading: PostReading): boolean {
  const expiry = dateField(reading, expiryNames)
  const date = expiry && readDate(expiry.value, reading.timezone)
  if (!expiry || (date && date > reading.settings.now)) {
    if (expiry) reading.note(`"${expiry.name}" is in the future and not kept`)
    return false
  }
  reading.note(`${quoted(expiry.name)} has passed or cannot be read; archived`)
  return true
}

/** The first of these fields that is a date. `published: true` is none. */
function dateField({ fields, note }: PostReading, names: FieldNames): { readonly name: string; readonly value: string } | undefined {
  for (const { name, value: given } of findFields(fields, names)) {
    const value = isFieldMap(given) ? textOf(given, ['created', 'published', 'date']) : given
    if (typeof value !== 'string' || booleanOf(value) !== undefined) continue
    if (!toolsDates.has(value.trim().toLowerCase())) return { name, value: value.trim() }
    note(`the ${name} ${quoted(value)} is known to the blog's own tool alone`)
  }
  return undefined
}

function toDate(reading: PostReading, text: string, from: SourceDate['from'], fieldName = ''): SourceDate | TextFault {
  const date = readDate(text, reading.timezone)
  if (!date) return faultOf(reading, fieldName, `the ${fieldName || 'date'} ${quoted(text)} does not exist or cannot be read`)
  const isZoneKnown = hasZone(text) || reading.settings.timezone !== undefined || reading.file.site?.timezone !== undefined
  if (!isZoneKnown) reading.lose('dates without a zone, taken as UTC (--timezone names another)')
  return { date, from }
}
