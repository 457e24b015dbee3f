import Type from 'typebox'
import type { Db } from '../database/engine.ts'
import { isId, type PersonId } from '../values/ids.ts'
import { nullable } from './validation/schema-types.ts'

/** The name beside the id of an actor. */
export const ActorName = nullable(Type.String({ maxLength: 400 }), {
  description: 'The name of the person, also of one who was removed since; `null` where the actor is not a person.',
})

/** The names of those actors that are people, by their ids. Costs no statement where there is none. */
export async function findActorNames(db: Db, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(actors)].filter((actor): actor is PersonId => isId('pers', actor))
  if (people.length === 0) return new Map()
  const rows = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', people).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
