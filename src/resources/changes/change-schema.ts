import Type, { type TSchema } from 'typebox'
import { ActorName } from '../../actions/actor-name-store.ts'
import { Cursor, maxPageLength, nullable, oneOf } from '../../actions/validation/schema-types.ts'
import type { FeedKind } from './feed.ts'

const actor = {
  actor: nullable(Type.String({ maxLength: 40 }), {
    description: 'Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`.',
  }),
  actorName: ActorName,
}

const anyId = Type.String({ pattern: '^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$', maxLength: 40 })

/** A page of the feed, with resources of these kinds. */
export function changePageOf(kinds: readonly FeedKind[]): TSchema {
  const upserts = kinds.map((kind) => [kind.name, upsertOf(kind)] as const)
  const Upsert = choiceBy('type', upserts, { title: 'Upsert', description: 'The resource exists. Replace your copy of it.' })
  const Removal = Type.Object(
    { action: oneOf(['delete']), type: oneOf(kinds.map(({ name }) => name)), id: anyId, ...actor },
    {
      title: 'Removal',
      description: 'The resource is deleted, or the key may no longer see it. Delete your copy, if you have one.',
    },
  )
  // Without a discriminator: generators want each of its schemas to be an object.
  const Change = Type.Unsafe<object>({
    oneOf: [Upsert, Removal],
    title: 'Change',
    description: 'A resource to store or to delete. `action` and `type` tell changes apart.',
  })
  return Type.Object(
    {
      data: Type.Array(Change, { maxItems: maxPageLength }),
      nextCursor: { ...Cursor, description: 'The next `since`. Store it once you have processed `data`.' },
      hasMore: Type.Boolean({ description: 'Whether there are more changes now.' }),
    },
    { title: 'ChangePage' },
  )
}

function upsertOf({ name, schema }: FeedKind): TSchema {
  const title = `${name.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())}Upsert`
  return Type.Object(
    { action: oneOf(['upsert']), type: oneOf([name]), id: anyId, ...actor, data: schema },
    { title, description: 'The resource as it is now, with the schema of its type.' },
  )
}

interface Titled {
  readonly title: string
  readonly description: string
}

/** One of several schemas with titles, told apart by a property (OpenAPI's `discriminator`). */
function choiceBy(propertyName: string, choices: readonly (readonly [value: string, schema: TSchema])[], about: Titled): TSchema {
  const mapping = Object.fromEntries(
    choices.map(([value, schema]) => [value, `#/components/schemas/${(schema as TSchema & Titled).title}`]),
  )
  return Type.Unsafe<object>({ oneOf: choices.map(([, schema]) => schema), discriminator: { propertyName, mapping }, ...about })
}
