import type { Fault } from './fault.ts'

const dispatch = 'src/resources/webhooks/dispatch'

/** Mistakes in deliveries, the changes feed and due posts. */
export const deliveryFaults: readonly Fault[] = [
  {
    name: 'delivered-before-it-is-sent',
    file: `${dispatch}/delivery-claim-store.ts`,
    replace: ["set({ status: 'sending', lease:", "set({ status: 'delivered', lease:"],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'no-order-per-post',
    file: `${dispatch}/delivery-claim-store.ts`,
    replace: ['and earlier.resource_id = webhook_deliveries.resource_id', 'and earlier.id = webhook_deliveries.id'],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'claims-of-the-killed-stay',
    file: `${dispatch}/dispatch-actions.ts`,
    replace: ['export const leaseMs = 10_000', 'export const leaseMs = 600_000'],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'sent-without-a-look-at-the-lease',
    file: `${dispatch}/turn.ts`,
    replace: ['const mayBegin = () => held.has(delivery.id)', "const mayBegin = () => delivery.id !== ''"],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'gone-is-a-failure-like-others',
    file: 'src/resources/webhooks/delivery.ts',
    replace: ['outcome.status === 410', 'outcome.status === 4100'],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'a-redirect-is-a-success',
    file: 'src/resources/webhooks/delivery.ts',
    replace: ['outcome.status >= 200 && outcome.status < 300', 'outcome.status >= 200 && outcome.status < 400'],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'log-read-one-too-far',
    file: `${dispatch}/dispatch-actions.ts`,
    replace: ['logPosition: position }', 'logPosition: position + 1 }'],
    caughtBy: 'webhooks-arrive',
  },
  {
    name: 'cursor-one-too-far',
    file: 'src/resources/changes/read-feed.ts',
    replace: ['listChanges(db, sight, { from, kinds', 'listChanges(db, sight, { from: from + 1, kinds'],
    caughtBy: 'followers-converge',
  },
  {
    name: 'a-renamed-author-changes-no-post',
    file: 'src/resources/changes/feed-store.ts',
    replace: ['touchesPosts: columnsInPosts[kind] !== undefined &&', 'touchesPosts: columnsInPosts[kind] === undefined &&'],
    caughtBy: 'followers-converge',
  },
  {
    name: 'due-by-the-clock-of-the-node',
    file: 'src/database/postgres/postgres-engine.ts',
    replace: [
      "nowSql: (now) => (settings.clock === 'database' ? serverInstant :",
      "nowSql: (now) => (settings.clock !== 'database' ? serverInstant :",
    ],
    caughtBy: 'time-is-kept',
  },
  {
    name: 'due-a-millisecond-late',
    file: 'src/resources/projects/keys/authenticator.ts',
    replace: ['found.nextDueAt > now)', 'found.nextDueAt >= now)'],
    caughtBy: 'time-is-kept',
  },
]
