import { reads } from '../../http/route-config.ts'
import { defaultLimit, maxLimit } from '../../lists/list-spec.ts'
import { changePageOf } from './change-schema.ts'
import { type FeedKind, keptDays } from './feed.ts'
import { maxWaitSeconds } from './feed-plan.ts'

const description = [
  'Everything that the key may see, then everything that changes, as the key sees it. Ask without `since` first, then with the `nextCursor` of the answer before, for ever: what you keep is then what the lists show.',
  'An `upsert` brings the thing as it is now, a `delete` says that it is gone or out of sight. Several changes of one thing may come as one. A post also comes when the author or category that it names has changed.',
  'Posts and categories need `posts:read`, authors `authors:read`, media `media:read`; what a key may not read it is not told of. Categories come without `postCount`. Answers are never cached.',
].join('\n\n')

/** What the documentation says of the feed. */
export function changeOperations(kinds: readonly FeedKind[]) {
  return {
    follow: reads('changes:read', {
      id: 'followChanges',
      tag: 'Changes',
      summary: 'Follow what changes',
      description,
      texts: {
        since: `The \`nextCursor\` of the answer before. It belongs to keys that see the same, and expires once it is ${keptDays} days behind.`,
      },
      numbers: {
        limit: { description: 'How many things at most.', minimum: 1, maximum: maxLimit, default: defaultLimit },
        wait: {
          description: 'For so many seconds the answer waits until there is something; 0 answers at once.',
          minimum: 0,
          maximum: maxWaitSeconds,
          default: 0,
        },
      },
      answers: { 200: changePageOf(kinds) },
      problems: ['invalid_parameter', 'invalid_cursor', 'cursor_expired'],
    }),
  }
}
