import { realContext } from '../../context.ts'
import type { Side } from '../../maintenance/move/copy.ts'
import type { Move } from '../../maintenance/move/move.ts'
import { startProgress } from '../progress.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { say } from '../terminal.ts'

const nouns = { copy: 'rows copied', verify: 'rows read back', index: 'posts indexed' } as const

/** Shows on the terminal how far a move is, and what became of the source where it failed. */
export function watchMove(options: { readonly json?: true }, source: Side, target: Side): Move['watch'] & { ends(): void } {
  const outcomes = {
    reopened: `${source.place} takes writes again.`,
    closed: `${source.place} still takes no writes: run the same command again, or verso move --cancel.`,
    copied: `The copy in ${target.place} is complete and only needs to be opened: run the same command again.`,
  }
  const isStopped = stopOnSignal(options)
  let progress = startProgress({ noun: 'rows', total: 0, now: realContext.now })
  return {
    begins(step, total) {
      progress.end()
      progress = startProgress({ noun: nouns[step], total, now: realContext.now })
    },
    reached: (rows) => progress.show(rows),
    isStopped,
    failed: (outcome) => say(options, outcomes[outcome]),
    ends: () => progress.end(),
  }
}
