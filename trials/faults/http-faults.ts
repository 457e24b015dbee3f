import type { Fault } from './fault.ts'

export const httpFaults: readonly Fault[] = [
  {
    name: 'slow-readers-never-checked',
    file: 'src/http/server.ts',
    replace: ['context.repeat(1_000, async () => readers.closeIdle())', 'context.repeat(1_000, async () => undefined)'],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'header-deadline-forgotten',
    file: 'src/http/server.ts',
    replace: ['  headersTimeout: headersTimeoutMs,\n', ''],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'deadlines-checked-every-half-minute',
    file: 'src/http/server.ts',
    replace: ['const connectionsCheckingIntervalMs = 1_000', 'const connectionsCheckingIntervalMs = 30_000'],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'overloaded-without-retry-after',
    file: 'src/http/connection/load-gate.ts',
    replace: [", { headers: { 'retry-after': '1' } })", ')'],
    caughtBy: 'overload',
  },
  {
    name: 'nul-stored-on-one-engine',
    file: 'src/actions/validation/validate.ts',
    replace: ['return isStorable(body) ? [] : [unstorable(pointer)]', 'return []'],
    caughtBy: 'no-input-breaks-it',
  },
  {
    name: 'unstorable-text-let-through',
    file: 'src/values/code-points.ts',
    replace: ["return !text.includes('\\0') && text.isWellFormed()", "return text !== '\\0'"],
    caughtBy: 'no-input-breaks-it',
  },
  {
    name: 'body-error-without-listener',
    file: 'src/http/connection/client-errors.ts',
    replace: [
      '      if (lastResponse && !lastResponse.req.complete) refuseBody(lastResponse, problem, socket)\n',
      "      if (lastResponse && !lastResponse.req.complete) lastResponse.req.emit('error', problem)\n",
    ],
    caughtBy: 'no-input-breaks-it',
  },
]
