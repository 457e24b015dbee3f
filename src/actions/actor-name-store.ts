import Type from 'typebox'
import type { Db } from '../database/engine.ts'
import { isId, type KeyId, type PersonId } from '../values/ids.ts'
import { nullable } from './validation/schema-types.ts'

/** The name beside the id of an actor. */
export const ActorName = nullable(Type.String({ maxLength: 400 }), {
  description: 'The name of the API key or the person, also of one who was removed since; `null` where the actor is neither.',
})

/** The names of those actors that are people or API keys, by their ids. Costs no statement where there is none. */
export async function findActorNames(db: Db, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(actors)].filter((actor): actor is PersonId => isId('pers', actor))
  const keys = [...new Set(actors)].filter((actor): actor is KeyId => isId('key', actor))
  const named = [
    ...(people.length === 0 ? [] : await db.selectFrom('people').select(['id', 'name']).where('id', 'in', people).execute()),
    ...(keys.length === 0 ? [] : await db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', keys).execute()),
  ]
  return new Map(named.map(({ id, name }) => [id, name]))
}
