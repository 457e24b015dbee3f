import type { Fault } from './fault.ts'

export const limitsFaults: readonly Fault[] = [
  {
    name: 'a-limit-counted-on-each-node-alone',
    file: 'src/app/start-app.ts',
    replace: ['if (!db.engine.skipsLockedRows) return {}', 'if (db.engine.skipsLockedRows) return {}'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'cached-responses-are-not-counted',
    file: 'src/http/cache/fast-path.ts',
    replace: ['const admission = isUnmodified ? undefined : admit', 'const admission = variant.body ? undefined : admit'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'a-lease-is-granted-whatever-is-left',
    file: 'src/http/limits/rate-window-store.ts',
    replace: ['granted: Math.max(0, Math.min(want, limit - before))', 'granted: Math.max(want, limit - before)'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'a-lease-forgets-those-before-it',
    file: 'src/http/limits/rate-window-store.ts',
    replace: [".then(row('rate_windows.used', '+', want))", ".then(row.ref('rate_windows.used'))"],
    caughtBy: 'limits-hold',
  },
  {
    name: 'failures-counted-on-each-node-alone',
    file: 'src/http/limits/failed-authentications.ts',
    replace: ['failures.untold >= toldAtOnce', 'failures.untold > maxFailures'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'every-failure-is-the-first-of-its-address',
    file: 'src/http/limits/failed-authentications.ts',
    replace: ['const known = byAddress.get(address)', "const known = byAddress.get('')"],
    caughtBy: 'limits-hold',
  },
  {
    name: 'one-key-too-many',
    file: 'src/resources/projects/keys/key-actions.ts',
    replace: ['if (count >= maxKeys)', 'if (count > maxKeys)'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'one-level-too-deep',
    file: 'src/http/request/json-body.ts',
    replace: ['if (++depth > maxDepth)', 'if (depth++ > maxDepth)'],
    caughtBy: 'limits-hold',
  },
  {
    name: 'ready-while-stopping',
    file: 'src/http/health-routes.ts',
    replace: ["const status = state.stopping ? 'stopping' : answers", "const status = state.stopping && !answers ? 'stopping' : answers"],
    caughtBy: 'stopping-loses-nothing',
  },
  {
    name: 'connections-cut-by-a-stop',
    file: 'src/app/start-app.ts',
    replace: ['      await lastArrivals.take()\n', '      server.server.closeAllConnections()\n      await lastArrivals.take()\n'],
    caughtBy: 'stopping-loses-nothing',
  },
  {
    name: 'headers-in-the-log',
    file: 'src/http/access-log.ts',
    replace: ['log.info(traceId === undefined ? request :', 'log.info(traceId === undefined ? { ...request, headers } :'],
    caughtBy: 'keys-stay-secret',
  },
  {
    name: 'webhook-secrets-encoded-and-not-encrypted',
    file: 'src/resources/webhooks/sealed-secret.ts',
    replace: ["encrypting.update(secret, 'utf8')", 'Buffer.from(secret)'],
    caughtBy: 'keys-stay-secret',
  },
  {
    name: 'erased-rows-are-not-overwritten',
    file: 'src/database/sqlite/sqlite-engine.ts',
    replace: ["database.pragma('secure_delete = on')", "database.pragma('secure_delete = off')"],
    caughtBy: 'keys-stay-secret',
  },
]
