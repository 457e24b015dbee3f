import type { Fault } from './fault.ts'

export const httpFaults: readonly Fault[] = [
  {
    name: 'slow-readers-never-checked',
    file: 'src/http/connection/slow-readers.ts',
    replace: ['if (reader.idleSeconds++ >= this.#limits.timeoutSeconds)', 'if (reader.idleSeconds >= this.#limits.timeoutSeconds)'],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'header-deadline-forgotten',
    file: 'src/http/server.ts',
    replace: ['  headersTimeout: headersTimeoutMs,\n', ''],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'body-deadline-forgotten',
    file: 'src/http/server.ts',
    replace: ['  requestTimeout: requestTimeoutMs,\n', ''],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'deadlines-checked-every-half-minute',
    file: 'src/http/server.ts',
    replace: ['const connectionsCheckingIntervalMs = 100', 'const connectionsCheckingIntervalMs = 30_000'],
    caughtBy: 'slow-and-many-clients',
  },
  {
    name: 'overloaded-without-retry-after',
    file: 'src/database/queues/long-reads.ts',
    replace: ["are waiting; try again in a moment.', {\n  headers,\n})", "are waiting; try again in a moment.')"],
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
    replace: ['req.refuseBody?.(problem)', "req.emit('error', problem)"],
    caughtBy: 'no-input-breaks-it',
  },
]
