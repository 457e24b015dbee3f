import type { BackupStep, BackupWatch } from '../../../maintenance/backup/backup.ts'
import { startSteps, stopOnSignal } from '../../progress.ts'

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
  return { ...startSteps(nouns), isStopped }
}
