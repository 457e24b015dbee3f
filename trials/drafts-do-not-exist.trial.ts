import { expect } from 'vitest'
import { type Difference, replay, scriptOf, smallest } from './access/script.ts'
import { trial } from './harness/trial.ts'

/** The public requests of one pair of worlds. */
const readsPerPair = 1_000

trial({
  name: 'drafts-do-not-exist',
  promise: 'Two projects that differ only in what is unpublished answer everyone who may not see drafts with the same bytes.',
  over: 'engines',
  sizes: { test: { reads: 300 }, short: { reads: 900 }, full: { reads: 10_000 } },
  minutes: { short: 2, full: 10 },
  async run({ size, engine, random, figure }) {
    const counts = { reads: 0, successes: 0, hidden: 0, returned: 0 }
    for (let pair = 0; counts.reads < size.reads; pair++) {
      const script = scriptOf(engine, random.fork(`pair ${pair}`), Math.min(readsPerPair, size.reads - counts.reads))
      const run = await replay(script)
      if (run.difference) expect.fail(textOf(await smallest(script, run.difference)))
      counts.reads += run.reads
      counts.successes += run.successes
      counts.hidden += run.hidden
      counts.returned += run.returned
    }
    figure('requests answered with other bytes', 0, { exactly: 0 })
    figure('requests', counts.reads)
    figure('requests that were not refused, % of all', (100 * counts.successes) / counts.reads, { atLeast: 60 })
    figure('writes in one world alone', counts.hidden)
    figure('posts that were renamed while they were hidden, and then published again', counts.returned)
  },
  controls: {
    async 'a world that is read with a key that sees drafts is told from the other'({ engine, random }) {
      const { difference } = await replay(scriptOf(engine, random, 300), {
        token: ({ world }, { reader }) => (reader === 'public' ? world.verso.secret : null),
      })
      return difference ? 1 : 0
    },
    async 'a public revision that moves for something hidden is seen'({ engine, random }) {
      const { difference } = await replay(scriptOf(engine, random, 300), {
        before: async ({ world: { verso } }) => {
          await verso.app.installation.engine.write((tx) =>
            tx
              .updateTable('project_state')
              .set((eb) => ({ public_revision: eb('public_revision', '+', 1) }))
              .execute(),
          )
        },
      })
      return difference ? 1 : 0
    },
    async 'one draft that is published by mistake is seen'({ engine, random }) {
      let isWritten = false
      const { difference } = await replay(scriptOf(engine, random, 300), {
        before: async ({ ask, world: { verso } }) => {
          if (!isWritten) await ask('POST', '/v1/posts', { title: 'Not yet', content: 'Not ready.' })
          isWritten = true
          await verso.app.installation.engine.write((tx) =>
            tx.updateTable('posts').set({ status: 'published' }).where('status', '=', 'draft').execute(),
          )
        },
      })
      return difference ? 1 : 0
    },
  },
})

function textOf({ history, answers }: Difference): string {
  return [`the answers differ after:`, ...history, '', ...answers.flatMap((answer) => [answer.slice(0, 3_000), '---'])].join('\n')
}
