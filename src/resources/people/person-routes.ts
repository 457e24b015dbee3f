import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf } from '../../http/request/validate-body.ts'
import { sendFreshList, sendFreshOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { editPerson, endSessions, invitePerson, removePerson, renewLink } from './person-actions.ts'
import { Person, PersonInvite, PersonList, PersonPatch, PersonWithLink, personList } from './person-schema.ts'
import { findPerson, listPeople } from './person-store.ts'

const tag = 'Administration'
const scope = 'people:manage'
const linked = { kind: 'created', under: '/v1/admin/people', secret: 'link' } as const

export const personOperations = {
  list: reads('GET /v1/admin/people', scope, {
    id: 'listPeople',
    tag,
    summary: 'List the people of the project',
    description: 'Everybody with a role in this project, by name. People sign in to the studio; programs use keys.',
    list: personList,
    responses: { 200: PersonList, 304: null },
  }),
  read: reads('GET /v1/admin/people/:id', scope, {
    id: 'getPerson',
    tag,
    summary: 'Read a person',
    description: 'Their role in this project, what they sign in with, and when they last used the studio.',
    responses: { 200: Person, 304: null },
    problems: ['not_found'],
  }),
  invite: writes('POST /v1/admin/people', scope, {
    id: 'invitePerson',
    tag,
    summary: 'Invite a person',
    description:
      'The response shows a one-time link, this one time. Within 72 hours the person sets a password or a passkey with it. Nobody gives a role that may do more than the caller; `admin` may give each. A name that the installation knows already is refused: only the operator gives a person of one project a role in another.',
    body: PersonInvite,
    responses: { 200: Person, 201: PersonWithLink },
  }),
  patch: writes('PATCH /v1/admin/people/:id', scope, {
    id: 'updatePerson',
    tag,
    summary: 'Change a name or a role',
    description:
      'A new role counts from the next request of the person on. The last owner stays owner. Only the operator renames a person who has a role in another project, too.',
    body: PersonPatch,
    responses: { 200: Person },
    problems: ['not_found'],
  }),
  remove: writes(
    'DELETE /v1/admin/people/:id',
    scope,
    {
      id: 'removePerson',
      tag,
      summary: 'Take the role of a person away',
      description:
        'It takes effect with the next request. Whoever has a role in no other project can no longer sign in. The history keeps their name. The last owner cannot be removed.',
      responses: { 204: null },
      problems: ['not_found', 'validation_failed'],
    },
    'none',
  ),
  link: writes(
    'POST /v1/admin/people/:id/link',
    scope,
    {
      id: 'createPersonLink',
      tag,
      summary: 'Make a new one-time link',
      description:
        'For a lost password, or a first link that has expired. It works for 72 hours and replaces the link before; the password works until another is set. Only the operator makes one for a person who has a role in another project, too.',
      responses: { 200: Person, 201: PersonWithLink },
      problems: ['not_found', 'validation_failed'],
    },
    'none',
  ),
  signOut: writes(
    'DELETE /v1/admin/people/:id/sessions',
    scope,
    {
      id: 'endSessions',
      tag,
      summary: 'Sign a person out',
      description:
        'Every session of the person ends with the next request. They can sign in again. If they have a role in another project, too, only what was open in this project ends; the operator signs them out everywhere.',
      responses: { 204: null },
      problems: ['not_found'],
    },
    'none',
  ),
}

export function personRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service
  const inviteBody = bodyOf(PersonInvite)
  const patchBody = bodyOf(PersonPatch)

  handle(app, personOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(personList, queryOf(request), caller)
    return sendFreshList(service, request, reply, plan, (checked, snapshot) => listPeople(snapshot, caller, checked))
  })

  handle(app, personOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const person = await findPerson(db, request.authenticated.caller, request.params.id)
    if (!person) throw notFound('person')
    return sendFreshOne(service, request, reply, person)
  })

  handle(app, personOperations.invite, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: inviteBody(request), publicUrl: service.publicUrl() }
    return sendWriteResult(service, request, reply, { action: invitePerson, input, response: linked })
  })

  handle(app, personOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: editPerson, input, response: { kind: 'written' } })
  })

  handle(app, personOperations.remove, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id }
    return sendWriteResult(service, request, reply, { action: removePerson, input, response: { kind: 'deleted' } })
  })

  handle(app, personOperations.link, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, publicUrl: service.publicUrl() }
    return sendWriteResult(service, request, reply, { action: renewLink, input, response: linked })
  })

  handle(app, personOperations.signOut, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id }
    return sendWriteResult(service, request, reply, { action: endSessions, input, response: { kind: 'deleted' } })
  })
}
