import type { Fault } from './fault.ts'

export const diskFaults: readonly Fault[] = [
  {
    name: 'answer-before-flush',
    file: 'src/database/sqlite/fsync-queue.ts',
    replace: ['await open.datasync()', 'open.datasync().catch(() => undefined)'],
    caughtBy: 'power-cut',
  },
  {
    name: 'failed-flush-is-ignored',
    file: 'src/database/sqlite/fsync-queue.ts',
    replace: ['      throw fail(cause)', '      unflushable(cause)\n      flushed = reaching'],
    caughtBy: 'failing-disk',
  },
  {
    name: 'full-disk-is-an-internal-error',
    file: 'src/database/sqlite/sqlite-errors.ts',
    replace: ["code === 'SQLITE_FULL' || ", ''],
    caughtBy: 'failing-disk',
  },
  {
    name: 'failed-flush-leaves-the-process-alive',
    file: 'src/app/start-app.ts',
    replace: ['{ flushFailed: () => fail() }', '{ flushFailed: () => void fail }'],
    caughtBy: 'failing-disk',
  },
  {
    name: 'post-without-its-revision',
    file: 'src/resources/posts/post-insert-store.ts',
    replace: ['await keepRevisions(tx, caller, [post])', 'await keepRevisions(tx, caller, [])'],
    caughtBy: 'acknowledged-is-durable',
  },
  {
    name: 'answer-before-postgresql-flushes',
    file: 'src/database/postgres/postgres-pool.ts',
    replace: ["application_name: 'verso',", "application_name: 'verso',\n    options: '-c synchronous_commit=off',"],
    caughtBy: 'acknowledged-is-durable',
  },
  {
    name: 'content-is-not-hashed',
    file: 'src/maintenance/check/check-rows.ts',
    replace: ['contentHash(body) === hash', 'contentHash(hash) !== body'],
    caughtBy: 'rot-is-found',
  },
  {
    name: 'revision-is-not-compared-with-its-hash',
    file: 'src/maintenance/check/check-rows.ts',
    replace: ['rowHash({ ...revision }) === revision.row_hash', 'rowHash({ ...revision }).length === 16'],
    caughtBy: 'rot-is-found',
  },
]
