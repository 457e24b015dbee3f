import Type, { type TSchema } from 'typebox'
import { Cursor, maxPageLength, oneOf } from '../../actions/validation/schema-types.ts'
import type { FeedKind } from './feed.ts'

const anyId = Type.String({ pattern: '^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$', maxLength: 40 })

/** A page of the feed, with resources of these kinds. */
export function changePageOf(kinds: readonly FeedKind[]): TSchema {
  const names = kinds.map(({ name }) => name)
  const Upsert = Type.Object(
    {
      action: oneOf(['upsert']),
      type: oneOf(names),
      id: anyId,
      data: Type.Union(
        kinds.map(({ schema }) => schema),
        { description: 'The resource as it is now, with the schema of its type.' },
      ),
    },
    { title: 'Upsert', description: 'The resource exists. Replace your copy of it.' },
  )
  const Removal = Type.Object(
    { action: oneOf(['delete']), type: oneOf(names), id: anyId },
    {
      title: 'Removal',
      description: 'The resource is deleted, or the key may no longer see it. Delete your copy, if you have one.',
    },
  )
  return Type.Object(
    {
      data: Type.Array(Type.Union([Upsert, Removal]), { maxItems: maxPageLength }),
      nextCursor: { ...Cursor, description: 'The next `since`. Store it once you have processed `data`.' },
      hasMore: Type.Boolean({ description: 'Whether there are more changes now.' }),
    },
    { title: 'ChangePage' },
  )
}
