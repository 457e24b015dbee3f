import type { FastifyInstance, FastifyReply } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import type { Service } from '../../http/route-services.ts'
import { changeOperations } from './change-operations.ts'
import type { FeedKind } from './feed.ts'
import { type FeedOwner, type FeedPlan, formatPosition, planFeed } from './feed-plan.ts'
import { followingFeed } from './follow-feed.ts'

/** `/v1/changes`. */
export function changeRoutes(app: FastifyInstance, { db, epoch, watch }: Service, allKinds: readonly FeedKind[]): void {
  const follow = followingFeed(watch)

  app.get('/v1/changes', changeOperations(allKinds).follow, async (request, reply) => {
    const { caller, revision } = request.visit
    const kinds = allKinds.filter(({ scope }) => caller.scopes.includes(scope))
    const owner: FeedOwner = { caller, epoch, kinds, revision }
    const plan = planFeed(queryOf(request), owner)
    const reading = { db, sight: sightOf(caller), kinds, revision, now: caller.now }
    const page = await follow(reading, plan, patienceOf(reply, plan))
    if (plan.waitSeconds > 0) request.waitedMs = page.waitedMs
    const body = { data: page.entries, nextCursor: formatPosition(page.next, owner), hasMore: page.hasMore }
    // Kept by a cache, "nothing yet" would be given again and again to one who asks for what comes next.
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
}

/** Aborted when the time is over, or when the client goes away. */
function patienceOf({ raw }: FastifyReply, { waitSeconds }: FeedPlan): AbortSignal {
  if (waitSeconds === 0) return AbortSignal.abort()
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), waitSeconds * 1_000)
  raw.once('close', () => {
    clearTimeout(timer)
    patience.abort()
  })
  return patience.signal
}
