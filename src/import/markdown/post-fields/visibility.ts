import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from '../../front-matter/field-value.ts'
import { booleanOf, type FieldNames, findField, findFields, textsOf } from '../../front-matter/find-field.ts'
import { quoted } from '../../source-limits.ts'
import { collectionOf } from '../site/site-layouts.ts'
import type { PostReading } from './parsed-post.ts'
import { tagNames } from './tags-and-categories.ts'
import { audienceNames, buildNames, draftNames, hiddenNames, passwordNames, shownNames, stateNames } from './visibility-names.ts'

const kindNames: FieldNames = ['type', 'layout', 'kind']
const publicStates = new Set('published publish public live scheduled future final done complete completed visible listed'.split(' '))
const everybody = new Set('all any anyone everyone everybody open default normal'.split(' '))
const unpublishedStates = new Set(
  [
    'draft pending private hidden unpublished unlisted review wip todo idea unfinished inactive disabled internal secret protected members paid tiers',
    'embargo trash deleted rejected inprogress needsreview readyforreview inreview underreview pendingreview onhold hold password notpublished offline',
    'planned outline incomplete embargoed withdrawn',
    // “Draft” in other languages.
    'entwurf brouillon borrador rascunho bozza concept utkast kladde luonnos szkic taslak черновик чернетка 草稿 下書き 초안',
  ]
    .join(' ')
    .split(' '),
)
const retiredStates = new Set(['archived', 'retired', 'expired'])

/** Whether the post was not public. Hidden posts and unclear values of `draft` count as drafts: nothing is published by mistake. */
export function isDraft(reading: PostReading): boolean {
  const reasons = [doubt, draft, hidden, notShown, password, notBuilt, unpublishedState, kind, tagged, folder, collection]
  // Every reason is asked, so that each leaves its note.
  return reasons.map((reason) => reason(reading)).some((applies) => applies)
}

/** Whether the post was public once and is no more. */
export function isRetired({ fields, note }: PostReading): boolean {
  const state = findField(fields, stateNames)
  const isRetiredState = typeof state?.value === 'string' && retiredStates.has(wordOf(state.value))
  const isMarked = booleanOf(findField(fields, ['archived'])?.value) === true
  if (isRetiredState || isMarked) note('it was archived in the source, and is archived here')
  return isRetiredState || isMarked
}

function doubt({ doubt: reason, note }: PostReading): boolean {
  if (reason !== undefined) note(`${reason}; taken as a draft`)
  return reason !== undefined
}

function draft({ fields, note }: PostReading): boolean {
  const values = [...findFields(fields, draftNames)].map(({ value }) => booleanOf(value))
  if (values.includes(undefined)) note('"draft" is neither true nor false; taken as a draft')
  return values.some((value) => value !== false)
}

function hidden({ fields, note }: PostReading): boolean {
  const names = [...findFields(fields, hiddenNames)].filter(({ value }) => saysAnywhere(value, true)).map(({ name }) => name)
  for (const name of names) note(`"${name}" is not kept; taken as a draft`)
  return names.length > 0
}

/** Whether a value, or one of its list, is this. */
function saysAnywhere(value: FieldValue, wanted: boolean): boolean {
  return (isFieldList(value) ? value : [value]).some((each) => booleanOf(each) === wanted)
}

function notShown({ fields, note }: PostReading): boolean {
  const names = [...findFields(fields, shownNames)].filter(({ value }) => saysAnywhere(value, false)).map(({ name }) => name)
  for (const name of names) if (name !== 'published') note(`"${name}" is false; taken as a draft`)
  return names.length > 0
}

function password({ fields, note }: PostReading): boolean {
  const found = findField(fields, passwordNames)
  if (!found || booleanOf(found.value) === false) return false
  note('it has a password, which is not kept; taken as a draft')
  return true
}

/** Hugo's `build: {list: never}`. */
function notBuilt({ fields, note }: PostReading): boolean {
  const isNever = (value: unknown) => typeof value === 'string' && (value === 'never' || booleanOf(value) === false)
  const found = [...findFields(fields, buildNames)].find(
    ({ value }) => isFieldMap(value) && (isNever(value.get('list')) || isNever(value.get('render'))),
  )
  if (found) note(`"${found.name}" keeps it out of the site; taken as a draft`)
  return found !== undefined
}

function unpublishedState({ fields, note }: PostReading): boolean {
  for (const { name, value, isAudience } of statesIn(fields)) {
    const word = wordOf(value)
    if (isAudience && everybody.has(word)) continue
    if (publicStates.has(word) || retiredStates.has(word) || booleanOf(value) === true) continue
    // A state may be that of what the post is about; an audience that is not known is not everybody.
    const isUnpublished = unpublishedStates.has(word) || isAudience
    if (!isUnpublished) note(`the ${name} ${quoted(value)} says nothing to this service; left out`)
    else if (word !== 'draft') note(`the ${name} ${quoted(value)} is not kept; taken as a draft`)
    if (isUnpublished) return true
  }
  return false
}

/** Each state and each audience, also those of lists. A map of rules is an audience that nobody knows. */
function statesIn(fields: FieldMap) {
  return [...findFields(fields, stateNames)].flatMap(({ name, value }) => {
    const isAudience = audienceNames.includes(name.toLowerCase())
    const texts = isAudience && isFieldMap(value) ? ['rules'] : textsOf(value)
    return texts.map((text) => ({ name, value: text, isAudience }))
  })
}

function kind({ fields, note }: PostReading): boolean {
  const isDraftKind = [...findFields(fields, kindNames)].some(({ value }) => typeof value === 'string' && wordOf(value) === 'draft')
  if (isDraftKind) note('its type or layout is "draft"; taken as a draft')
  return isDraftKind
}

/** Nikola's way, and that of many notebooks. */
function tagged({ fields, note }: PostReading): boolean {
  const tag = textsOf(findField(fields, tagNames)?.value)
    .flatMap((text) => text.split(','))
    .find((text) => ['draft', 'private'].includes(text.trim()))
  if (tag !== undefined) note(`it has the tag ${quoted(tag.trim())}; taken as a draft`)
  return tag !== undefined
}

function folder({ facts }: PostReading): boolean {
  return facts.isDraft
}

/** Jekyll makes no pages of a collection without `output: true`. */
function collection({ file, note }: PostReading): boolean {
  const name = collectionOf(file.site, file.path)
  const isHidden = name !== undefined && file.site?.collections.get(name) === false && name !== 'posts'
  if (isHidden) note(`the collection ${quoted(name)} has no "output: true"; taken as a draft`)
  return isHidden
}

function wordOf(value: string): string {
  return value.toLowerCase().replace(/[-_\s]+/g, '')
}
