import type { Instant } from '../../../values/instant.ts'
import { booleanOf, type FieldNames, findField, findFields, textOf } from '../../front-matter/find-field.ts'
import { quoted } from '../../source-limits.ts'
import { isTextFault, type TextFault } from '../../source-post.ts'
import { addressDate } from '../file-path.ts'
import { readDate } from './parse-date.ts'
import { faultOf, type PostReading } from './parsed-post.ts'
import { ownAddress } from './slug-and-aliases.ts'

const dateNames: FieldNames = [
  'date',
  'pubDate',
  'published',
  'publishDate',
  'publishedAt',
  'publishedOn',
  'datePublished',
  'created',
  'createdAt',
]
const updatedNames: FieldNames = [
  'updated',
  'lastmod',
  'updatedDate',
  'updatedAt',
  'lastModified',
  'lastModifiedAt',
  'modified',
  'dateModified',
]
const hiddenNames: FieldNames = ['unlisted', 'hidden', 'private']
const publicStates = new Set(['published', 'publish', 'public', 'live', 'scheduled', 'future'])
const unpublishedStates = new Set('draft pending private hidden unpublished unlisted archived review wip'.split(' '))
/** Words of Eleventy for times that only Eleventy knows. */
const toolsDates = new Set(['last modified', 'created', 'git last modified', 'git created'])

export interface SourceDate {
  readonly date: Instant | null
  readonly from: 'front matter' | 'address' | 'file name' | null
}

/** The publication date: from front matter, else from the URL path, else from the names of file and folders. */
export function dateOf(reading: PostReading): SourceDate | TextFault {
  const given = dateField(reading, dateNames)
  if (given) return toDate(reading, given.value, 'front matter', given.name)
  const address = addressDate(ownAddress(reading.fields) ?? '')
  if (address !== null) return toDate(reading, address, 'address')
  return reading.facts.date === null ? { date: null, from: null } : toDate(reading, reading.facts.date, 'file name')
}

export function updatedOf(reading: PostReading): Instant | null | TextFault {
  const given = dateField(reading, updatedNames)
  if (!given) return null
  const updated = toDate(reading, given.value, 'front matter', given.name)
  return isTextFault(updated) ? updated : updated.date
}

/** Whether the post was not public. Hidden posts and unclear values of `draft` count as drafts: nothing is published by mistake. */
export function isDraft(reading: PostReading): boolean {
  const { fields, facts, note, doubt } = reading
  if (doubt !== undefined) note(`${doubt}; taken as a draft`)
  const draft = findField(fields, ['draft'])
  const isPublic = !draft || booleanOf(draft.value) === false
  if (draft && booleanOf(draft.value) === undefined) note('"draft" is neither true nor false; taken as a draft')
  const hidden = findField(fields, hiddenNames)
  const isHidden = booleanOf(hidden?.value) === true
  if (isHidden) note(`"${hidden?.name}" is not kept; taken as a draft`)
  const isUnpublished = booleanOf(findField(fields, ['published'])?.value) === false
  return doubt !== undefined || !isPublic || isHidden || isUnpublished || facts.isDraft || isUnpublishedState(reading)
}

function isUnpublishedState({ fields, note }: PostReading): boolean {
  const state = textOf(fields, ['status'])?.toLowerCase()
  if (state === undefined || publicStates.has(state)) return false
  const isKnown = unpublishedStates.has(state)
  if (!isKnown) note(`the status ${quoted(state)} says nothing to this service; left out`)
  else if (state !== 'draft') note(`the status ${quoted(state)} is not kept; taken as a draft`)
  return isKnown
}

/** The first of these fields that is a date. `published: true` is none. */
function dateField({ fields, note }: PostReading, names: FieldNames): { readonly name: string; readonly value: string } | undefined {
  for (const { name, value } of findFields(fields, names)) {
    if (typeof value !== 'string' || booleanOf(value) !== undefined) continue
    if (!toolsDates.has(value.trim().toLowerCase())) return { name, value: value.trim() }
    note(`the ${name} ${quoted(value)} is known to the blog's own tool alone`)
  }
  return undefined
}

function toDate(reading: PostReading, text: string, from: SourceDate['from'], fieldName = ''): SourceDate | TextFault {
  const date = readDate(text, reading.timezone)
  return date ? { date, from } : faultOf(reading, fieldName, `the ${fieldName || 'date'} ${quoted(text)} does not exist or cannot be read`)
}
