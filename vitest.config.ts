import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Files that ask no database: they need neither a server nor processes of their own. */
const withoutDatabase = [
  'test/{docs,exit-code}.test.ts',
  'test/house/{architecture,studio,suite,trials}.test.ts',
  'test/packages/{api-types,client-webhooks}.test.ts',
  'test/studio/{bytes,compare-texts,formats,merge}.test.ts',
  'test/values/**/*.test.ts',
  'test/search/tokenizer.test.ts',
  'test/import/import-parts.test.ts',
  'test/import/front-matter/**/*.test.ts',
  'test/import/markdown/**/*.test.ts',
  'test/http/cache/**/*.test.ts',
  'test/http/openapi/openapi-lint.test.ts',
  'test/http/request/{accept-encoding,json-body}.test.ts',
  'test/database/postgres/{postgres-connection,shard-servers,wait-queue}.test.ts',
  'test/resources/feeds/make-feed.test.ts',
  'test/resources/posts/revisions/line-diff.test.ts',
  'test/resources/projects/keys/batch-loader.test.ts',
  'test/resources/webhooks/dispatch/outbound.test.ts',
]

/** Follows a request through the files that it calls. */
const trace = 'test/house/request-trace.test.ts'

/** On Citus, making a database takes many seconds. */
const timeout = process.env.VERSO_TEST_CITUS ? 180_000 : 60_000

const common = { isolate: false, testTimeout: timeout, hookTimeout: timeout, setupFiles: ['test/harness/seed.ts'] }

/** More than cores: now and then one waits for a clock, in short trials more often. Full trials measure, so they run one by one. */
const maxWorkers = { full: 1, short: availableParallelism() + 2 }[process.env.VERSO_TRIAL_SIZE ?? ''] ?? availableParallelism() + 1

export default defineConfig(({ mode }) => {
  const env = { VERSO_TEST_SCALE: process.env.VERSO_TEST_SCALE ?? (mode === 'soak' ? '1' : '0.05') }
  return {
    test: {
      globalSetup: ['test/harness/summary.ts'],
      maxWorkers,
      tags: [{ name: 'soak', description: 'runs at a twentieth of its size in `npm test`, and at its full size in `npm run soak`' }],
      projects: [
        {
          test: { ...common, env, name: 'alone', include: withoutDatabase, pool: 'threads', sequence: { groupOrder: 1 } },
        },
        // It counts calls, so nothing that another file left behind may run in its process.
        { test: { ...common, isolate: true, env, name: 'trace', include: [trace], pool: 'forks', sequence: { groupOrder: 1 } } },
        {
          test: {
            ...common,
            env,
            name: 'service',
            include: ['test/**/*.test.ts'],
            exclude: [...withoutDatabase, trace, 'test/studio/**'],
            setupFiles: [...common.setupFiles, 'test/harness/statement-collector.ts'],
            globalSetup: ['test/harness/database-setup.ts'],
            pool: 'forks',
            sequence: { groupOrder: 2 },
          },
        },
        {
          test: {
            ...common,
            env,
            name: 'studio',
            include: ['test/studio/**/*.test.ts'],
            exclude: withoutDatabase,
            globalSetup: ['test/harness/database-setup.ts', 'test/harness/browser-setup.ts'],
            pool: 'forks',
            sequence: { groupOrder: 2 },
          },
        },
        // It writes pictures of the studio: `npm run studio:shots`.
        ...(mode === 'shots'
          ? [
              {
                test: {
                  ...common,
                  env,
                  name: 'shots',
                  include: ['test/studio/shots.ts'],
                  globalSetup: ['test/harness/database-setup.ts', 'test/harness/browser-setup.ts'],
                },
              },
            ]
          : []),
        // It installs packages from the registry: `npm run examples`.
        ...(mode === 'examples'
          ? [
              {
                test: {
                  ...common,
                  env,
                  name: 'examples',
                  include: ['test/{examples,packages,mcp}/*.registry.ts'],
                  globalSetup: ['test/harness/database-setup.ts'],
                },
              },
            ]
          : []),
        {
          test: {
            ...common,
            env,
            // What a full trial measures is its own. For 23 short ones, to load the modules each time takes a tenth of the whole.
            isolate: process.env.VERSO_TRIAL_SIZE === 'full',
            name: 'trials',
            include: [mode === 'faults' ? 'trials/faults/planted-faults.ts' : 'trials/*.trial.ts'],
            globalSetup: ['test/harness/database-setup.ts', 'trials/harness/trial-report.ts'],
            maxConcurrency: 2,
            pool: 'forks',
            sequence: { groupOrder: 2 },
          },
        },
      ],
    },
  }
})
