import type { FastifyInstance } from 'fastify'
import { type Sight, sightOf } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { queryOf } from '../../../http/request/query.ts'
import { versionsIn } from '../../../http/response/etag.ts'
import { sendFreshList, sendOne } from '../../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../../http/response/write-response.ts'
import { handle, reads, writes } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { planList, planWithin } from '../../../lists/list-plan.ts'
import { readVersion, refuseOtherParameters } from '../../../lists/query-parameters.ts'
import { notFound } from '../../../values/problems.ts'
import { represent } from '../post-fields.ts'
import { Post } from '../post-schema.ts'
import { diffOf, type PastPost } from './post-revision.ts'
import { restoreRevision } from './post-revision-actions.ts'
import { PostDiff, PostRevisionList, revisionList } from './post-revision-schema.ts'
import { findReferences, findRevisedPost, findRevision, listRevisions, type RevisedPost } from './post-revision-store.ts'

const tag = 'Posts'

/** The routes of revisions and their documentation. */
export const revisionOperations = {
  list: reads('GET /v1/posts/:idOrSlug/revisions', 'posts:read_drafts', {
    id: 'listPostRevisions',
    tag,
    summary: 'List the revisions of a post',
    description: 'Newest first. Every write of the post keeps a revision.',
    list: revisionList,
    responses: { 200: PostRevisionList, 304: null },
    problems: ['not_found'],
  }),
  read: reads('GET /v1/posts/:idOrSlug/revisions/:version', 'posts:read_drafts', {
    id: 'getPostRevision',
    tag,
    summary: 'Read a revision of a post',
    description:
      'The post as it was in that version. Author and category have their current names, or are `null` if they were deleted since.',
    responses: { 200: Post, 304: null },
    problems: ['not_found'],
  }),
  diff: reads('GET /v1/posts/:idOrSlug/revisions/:version/diff', 'posts:read_drafts', {
    id: 'diffPostRevision',
    tag,
    summary: 'Compare two revisions of a post',
    description:
      'Lists the fields that differ, and the content line by line. Without `against`, the revision is compared with the one before it.',
    texts: { against: 'The version to compare with. Default: the version before.' },
    responses: { 200: PostDiff, 304: null },
    problems: ['not_found'],
  }),
  restore: writes(
    'POST /v1/posts/:idOrSlug/revisions/:version/restore',
    'posts:write',
    {
      id: 'restorePostRevision',
      tag,
      summary: 'Restore a revision',
      description:
        'Makes a new version with the title, content, excerpt, tags, seo, author and category of that revision. Status, slug, dates and aliases stay as they are. An author or category that was deleted since becomes `null`. A published or scheduled post needs `posts:publish`.',
      responses: { 200: Post },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
}

/** `/v1/posts/{idOrSlug}/revisions`. */
export function revisionRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, revisionOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(revisionList, queryOf(request), caller)
    const post = await requirePost(db, sightOf(caller), request.params.idOrSlug)
    return sendFreshList(service, request, reply, planWithin(plan, post.id), (asked, snapshot) =>
      listRevisions(snapshot, sightOf(caller), post.id, asked),
    )
  })

  handle(app, revisionOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const sight = sightOf(request.authenticated.caller)
    const post = await requirePost(db, sight, request.params.idOrSlug)
    const { body } = await requireRevision(db, sight, post, versionIn(request.params.version))
    return sendOne(service, request, reply, body)
  })

  handle(app, revisionOperations.diff, async (request, reply) => {
    const query = queryOf(request)
    refuseOtherParameters(query, ['against'])
    const against = readVersion(query, 'against')
    const sight = sightOf(request.authenticated.caller)
    const post = await requirePost(db, sight, request.params.idOrSlug)
    const after = await requireRevision(db, sight, post, versionIn(request.params.version))
    const other = against ?? after.body.version - 1
    const before = other === 0 ? undefined : await requireRevision(db, sight, post, other)
    return sendOne(service, request, reply, await diffOf(before, after))
  })

  handle(app, revisionOperations.restore, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug, version } = request.params
    const input = { idOrSlug, version: versionIn(version), ifMatch: versionsIn(service, request) }
    return sendWriteResult(service, request, reply, { action: restoreRevision, input, response: { kind: 'written' } })
  })
}

async function requirePost(db: Db, sight: Sight, idOrSlug: string): Promise<RevisedPost> {
  const post = await findRevisedPost(db, sight, idOrSlug)
  if (!post) throw notFound('post')
  return post
}

async function requireRevision(db: Db, sight: Sight, post: RevisedPost, version: number): Promise<PastPost> {
  const revision = await findRevision(db, sight, post, version)
  if (!revision) throw notFound('revision')
  return { body: represent(revision, await findReferences(db, sight, revision)), deletedAt: revision.deletedAt }
}

/** 0, which is never a version, for an invalid text. */
function versionIn(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}
