import type { FastifyInstance } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf } from '../../http/request/validate-body.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { answerList, answerOne } from '../../http/response/responses.ts'
import { answerWrite, writeQueryOf } from '../../http/response/write-response.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { readText, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { administratorSight } from './author.ts'
import { createAuthor, editAuthor, removeAuthor } from './author-actions.ts'
import { authorAdminOperations, authorOperations } from './author-operations.ts'
import { AuthorCreate, AuthorPatch, authorList } from './author-schema.ts'
import { findAuthor, listAuthors } from './author-store.ts'

type WithId = { Params: { id: string } }

/** `/v1/authors`, to be read alone, and `/v1/admin/authors`. */
export function authorRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service, { path: '/v1/authors', operations: authorOperations, sight: sightOf })
  readRoutes(app, service, { path: '/v1/admin/authors', operations: authorAdminOperations, sight: administratorSight })
  writeRoutes(app, service)
}

interface Reading {
  readonly path: string
  readonly operations: Pick<typeof authorOperations | typeof authorAdminOperations, 'list' | 'read'>
  readonly sight: typeof sightOf
}

function readRoutes(app: FastifyInstance, service: Service, { path, operations, sight }: Reading): void {
  const { db } = service

  app.get(path, operations.list, async (request, reply) => {
    const { caller } = request.visit
    const plan = planList(authorList, queryOf(request), caller)
    return answerList(service, request, reply, plan, (asked) => listAuthors(db, sight(caller), asked))
  })

  app.get<WithId>(`${path}/:id`, operations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const author = await findAuthor(db, sight(request.visit.caller), request.params.id)
    if (!author) throw notFound('author')
    return answerOne(service, request, reply, author)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(AuthorCreate)
  const patchBody = bodyOf(AuthorPatch)

  app.post('/v1/admin/authors', authorAdminOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return answerWrite(service, request, reply, { action: createAuthor, input, shape: { kind: 'created', under: '/v1/admin/authors' } })
  })

  app.patch<WithId>('/v1/admin/authors/:id', authorAdminOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, ifMatch: versionsIn(request), body: patchBody(request) }
    return answerWrite(service, request, reply, { action: editAuthor, input, shape: { kind: 'written' } })
  })

  app.delete<WithId>('/v1/admin/authors/:id', authorAdminOperations.delete, async (request, reply) => {
    const reassignTo = readText(writeQueryOf(request, ['reassign_to']), 'reassign_to')
    const input = { id: request.params.id, ifMatch: versionsIn(request), reassignTo }
    return answerWrite(service, request, reply, { action: removeAuthor, input, shape: { kind: 'deleted' } })
  })
}
