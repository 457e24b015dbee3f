import type { FieldNames } from '../../front-matter/find-field.ts'

export const draftNames: FieldNames = ['draft', 'isDraft', 'extra.draft', 'params.draft', 'meta.draft', 'data.draft']
export const hiddenNames: FieldNames = [
  'unlisted',
  'hidden',
  'hide',
  'private',
  'unpublished',
  'wip',
  'headless',
  'secret',
  'encrypt',
  'encrypted',
  'protected',
  'internal',
  'isHidden',
  'isPrivate',
  'membersOnly',
  'subscribersOnly',
  'paid',
  'premium',
  'disabled',
  'exclude',
  'excluded',
  'ignore',
  'ignored',
  'excludeFromCollections',
  'eleventyExcludeFromCollections',
  'extra.hidden',
  'extra.private',
  'params.hidden',
  'params.private',
]
export const shownNames: FieldNames = [
  ...[
    'published',
    'publish',
    'public',
    'isPublished',
    'isPublic',
    'visible',
    'isVisible',
    'listed',
    'render',
    'permalink',
    'online',
    'live',
  ],
  ...['show', 'article', 'enabled', 'active', 'isActive', 'ready', 'discoverable', 'meta.published', 'data.published'],
]
export const passwordNames: FieldNames = ['password', 'passphrase', 'extra.password', 'params.password']
export const audienceNames: FieldNames = ['visibility', 'access', 'audience']
export const stateNames: FieldNames = [
  ...['status', 'postStatus', 'state', 'publishState', 'publicationStatus'],
  ...['meta.status', 'data.status', 'extra.status', 'params.status'],
  ...audienceNames,
]
export const buildNames: FieldNames = ['build', '_build']
/** All fields that say who may see a post. */
export const visibilityNames: FieldNames = [
  ...[draftNames, hiddenNames, shownNames, passwordNames, stateNames, buildNames].flat(),
  'archived',
]
