import Type from 'typebox'
import { oneOf } from '../actions/validation/schema-types.ts'
import { open } from './route-config.ts'

const tag = 'Service'

const Alive = Type.Object({ status: oneOf(['ok']) }, { title: 'Alive' })

const Readiness = Type.Object(
  {
    status: oneOf(['ready', 'stopping', 'unavailable']),
    checks: Type.Object({
      database: oneOf(['ok', 'unavailable']),
      scheduling: oneOf(['ok', 'failing'], { description: '`failing` while posts that are due cannot be published.' }),
    }),
  },
  { title: 'Readiness' },
)

/** What the documentation says of the routes by which others watch the service. */
export const healthOperations = {
  alive: open({ id: 'getHealth', tag, summary: 'Does the process live?', answers: { 200: Alive } }),
  ready: open({
    id: 'getReadiness',
    tag,
    summary: 'Can it serve?',
    description: 'Not while it stops, nor while the database is away.',
    answers: { 200: Readiness, 503: Readiness },
  }),
}
