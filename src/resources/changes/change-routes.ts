import type { FastifyInstance, FastifyReply } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { handle, reads } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { defaultLimit, maxLimit } from '../../lists/list-spec.ts'
import { changePageOf } from './change-schema.ts'
import { type FeedKind, keptDays } from './feed.ts'
import { type FeedOwner, type FeedPlan, formatPosition, maxWaitSeconds, planFeed } from './feed-plan.ts'
import { followingFeed } from './follow-feed.ts'

/** `/v1/changes`. */
export function changeRoutes(app: FastifyInstance, { db, epoch, watch }: Service, allKinds: readonly FeedKind[]): void {
  const follow = followingFeed(watch)

  handle(app, changeOperations(allKinds).follow, async (request, reply) => {
    const { caller, revision } = request.authenticated
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

const description = [
  'Everything that the key may see, then everything that changes, as the key sees it. Ask without `since` first, then with the `nextCursor` of the answer before, for ever: what you keep is then what the lists show.',
  'An `upsert` brings the resource as it is now, a `delete` says that it is gone or out of sight. Several changes of one resource may come as one. A post also comes when the author or category that it names has changed.',
  'Posts and categories need `posts:read`, authors `authors:read`, media `media:read`; what a key may not read it is not told of. Categories come without `postCount`. Answers are never cached.',
].join('\n\n')

/** What the documentation says of the feed. */
export function changeOperations(kinds: readonly FeedKind[]) {
  return {
    follow: reads('GET /v1/changes', 'changes:read', {
      id: 'followChanges',
      tag: 'Changes',
      summary: 'Follow what changes',
      description,
      texts: {
        since: `The \`nextCursor\` of the answer before. It belongs to keys that see the same, and expires once it is ${keptDays} days behind.`,
      },
      numbers: {
        limit: { description: 'How many resources at most.', minimum: 1, maximum: maxLimit, default: defaultLimit },
        wait: {
          description: 'For so many seconds the answer waits until there is something; 0 answers at once.',
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
