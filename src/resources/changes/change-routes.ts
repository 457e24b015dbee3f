import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { payloadOf } from '../../http/connection/paced-response.ts'
import { queryOf } from '../../http/request/query.ts'
import { dataBytes } from '../../http/response/list-response.ts'
import { untilGone } from '../../http/response/responses.ts'
import { handle, reads } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { defaultLimit, maxLimit } from '../../lists/list-spec.ts'
import { changePageOf } from './change-schema.ts'
import { type FeedKind, keptDays } from './feed.ts'
import { type FeedPlan, formatPosition, maxWaitSeconds, planFeed } from './feed-plan.ts'
import { followingFeed } from './follow-feed.ts'

/** `/v1/changes`. */
export function changeRoutes(app: FastifyInstance, service: Service, allKinds: readonly FeedKind[]): void {
  const { db, epoch, watch, longRead } = service
  const follow = followingFeed(watch, longRead)

  handle(app, changeOperations(allKinds).follow, async (request, reply) => {
    const { caller, revision } = request.authenticated
    const plan = planFeed(queryOf(request), { caller, epoch, kinds: allKinds, revision })
    const { owner } = plan
    const reading = { db, asker: caller.actor, sight: sightOf(caller), kinds: owner.kinds, revision, now: caller.now }
    const wait = startWait(request, reply, plan)
    const page = await follow(reading, plan, wait.signal).finally(wait.end)
    if (plan.waitSeconds > 0) request.waitedMs = page.waitedMs
    // A key that was revoked while it waited is not told what was written since.
    if (page.waitedMs > 0 && page.entries.length > 0) await service.requireSameRights(request)
    const body = await dataBytes(page.entries, { nextCursor: formatPosition(page.next, owner), hasMore: page.hasMore })
    // From a cache, a client would get the same empty page again and again.
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(payloadOf(body))
  })
}

interface Wait {
  /** Aborts when the time is over or the client is gone. */
  readonly signal: AbortSignal
  end(): void
}

function startWait(request: FastifyRequest, reply: FastifyReply, { waitSeconds }: FeedPlan): Wait {
  if (waitSeconds === 0) return { signal: AbortSignal.abort(), end: () => {} }
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), waitSeconds * 1_000)
  return { signal: AbortSignal.any([over.signal, untilGone(request, reply)]), end: () => clearTimeout(timer) }
}

const description = [
  'First every resource that the key may see, then every change. Begin without `since`, then always pass the `nextCursor` of the previous response. Your copy then equals what the lists show.',
  'An `upsert` has the resource as it is now. A `delete` says that it is deleted or that the key may no longer see it. Several changes of one resource may become one entry. A post also appears when its author or category has changed.',
  'Posts and categories need `posts:read`, authors `authors:read`, media `media:read`, pending edits `posts:read_drafts`; a key gets only the kinds that it may read. Of a pending edit the feed tells who saved it and when; `GET /v1/posts/{id}/pending` has its text. Authors and categories have no `postCount` here. Responses are never cached.',
].join('\n\n')

/** The routes of the feed. */
export function changeOperations(kinds: readonly FeedKind[]) {
  return {
    follow: reads('GET /v1/changes', 'changes:read', {
      id: 'followChanges',
      tag: 'Changes',
      summary: 'Follow changes',
      description,
      choices: {
        types: {
          description: 'Only resources of these types; without it, of all that the key may read.',
          values: kinds.map(({ name }) => name),
        },
      },
      cursors: {
        since: `The \`nextCursor\` of the previous response. Other keys that may see the same resources can use it, with the same \`types\`. It expires after ${keptDays} days.`,
      },
      numbers: {
        limit: { description: 'The maximum number of resources.', minimum: 1, maximum: maxLimit, default: defaultLimit },
        wait: {
          description: 'How many seconds to wait for a change if there is none yet; 0 does not wait.',
          minimum: 0,
          maximum: maxWaitSeconds,
          default: 0,
        },
      },
      responses: { 200: changePageOf(kinds) },
      problems: ['invalid_parameter', 'invalid_cursor', 'cursor_expired'],
    }),
  }
}
