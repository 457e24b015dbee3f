import { realContext } from '../../../context.ts'
import type { BackupStep, BackupWatch } from '../../../maintenance/backup/backup.ts'
import { startProgress, stopOnSignal } from '../../progress.ts'

const nouns: Readonly<Record<BackupStep, string>> = {
  write: 'rows written',
  verify: 'rows verified',
  restore: 'rows restored',
  compare: 'rows compared',
  migrate: 'migrations',
  index: 'posts indexed',
}

/** Shows the steps of a backup or restore on a terminal. A signal stops it. */
export function showSteps(options: { readonly json?: true }, isStopped = stopOnSignal(options)): BackupWatch & { ends(): void } {
  let progress = startProgress({ noun: 'rows', total: 0, now: realContext.now })
  return {
    begins(step, total) {
      progress.end()
      progress = startProgress({ noun: nouns[step], total, now: realContext.now })
    },
    reached: (done) => progress.show(done),
    isStopped,
    ends: () => progress.end(),
  }
}
