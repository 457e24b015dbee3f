import type { Fault } from './fault.ts'

export const loopFaults: readonly Fault[] = [
  {
    name: 'tag-of-the-look-up',
    file: 'src/http/response/responses.ts',
    replace: ['tag: seen === revision ? tag : tagAt(seen)', 'tag'],
    caughtBy: 'one-tag-one-body',
  },
  {
    name: 'short-read-not-checked',
    file: 'src/lists/read-at-revision.ts',
    replace: ['value !== undefined && (isUntouched() || (await revisionInSight(db, sight)) === revision)', 'value !== undefined'],
    caughtBy: 'one-tag-one-body',
  },
  {
    name: 'total-kept-too-long',
    file: 'src/resources/posts/list-cache/cached-list.ts',
    replace: [
      'return cached?.revision === revision ? cached.total : undefined',
      'return cached && cached.revision <= revision ? cached.total : undefined',
    ],
    caughtBy: 'one-tag-one-body',
  },
  {
    name: 'thread-without-snapshot',
    file: 'src/database/sqlite/statement-thread.js',
    replace: ["if (!writes && !database.inTransaction) database.exec('begin')", ''],
    caughtBy: 'one-tag-one-body',
  },
  {
    name: 'first-asker-always-first',
    file: 'src/database/queues/long-reads.ts',
    replace: ['      queues.delete(name)\n      if (queue.size > 1) queues.set(name, queue)\n', ''],
    caughtBy: 'nobody-waits-for-another',
  },
  {
    name: 'deep-page-on-the-loop',
    file: 'src/resources/posts/list/plan-query.ts',
    replace: [
      '(position.page - 1) * limit > maxSkippedAtOnce) return false',
      '(position.page - 1) * limit > maxSkippedAtOnce * 1_000) return false',
    ],
    caughtBy: 'nobody-waits-for-another',
  },
  {
    name: 'count-on-the-loop',
    file: 'src/resources/posts/list/plan-query.ts',
    replace: ["known: undefined }).kind === 'counted'", "known: undefined }).kind === 'known'"],
    caughtBy: 'nobody-waits-for-another',
  },
  {
    name: 'feed-on-the-loop',
    file: 'src/resources/changes/follow-feed.ts',
    replace: ['isAtEnd(reading, position)\n      ?', 'isAtEnd(reading, position) || true\n      ?'],
    caughtBy: 'nobody-waits-for-another',
  },
]
