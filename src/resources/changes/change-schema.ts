import Type, { type TSchema } from 'typebox'
import { oneOf } from '../../actions/validation/schema-types.ts'
import type { FeedKind } from './feed.ts'

/** A page of the feed, whose upserts show resources of these kinds. */
export function changePageOf(kinds: readonly FeedKind[]): TSchema {
  const names = kinds.map(({ name }) => name)
  const Upsert = Type.Object(
    {
      action: oneOf(['upsert']),
      type: oneOf(names),
      id: Type.String(),
      data: Type.Union(
        kinds.map(({ schema }) => schema),
        { description: 'The resource as it is now, in the shape of its type.' },
      ),
    },
    { title: 'Upsert', description: 'The resource is there: put it in the place of what you have of it.' },
  )
  const Removal = Type.Object(
    { action: oneOf(['delete']), type: oneOf(names), id: Type.String() },
    {
      title: 'Removal',
      description: 'The resource is deleted, or the key may not see it any more: forget it, whether or not you have it.',
    },
  )
  return Type.Object(
    {
      data: Type.Array(Type.Union([Upsert, Removal])),
      nextCursor: Type.String({ description: 'For `since`, the next time; keep it once you have dealt with `data`.' }),
      hasMore: Type.Boolean({ description: 'Whether there is more to be had at once.' }),
    },
    { title: 'ChangePage' },
  )
}
