import type { Fault } from './fault.ts'

const [backups, upgrades] = ['backups-are-whole', 'interrupted-upgrades'] as const
const [backup, restore] = ['src/maintenance/backup/backup.ts', 'src/maintenance/backup/restore.ts'] as const

export const backupFaults: readonly Fault[] = [
  {
    name: 'backup-without-a-snapshot',
    file: backup,
    replace: ['source.engine.snapshot((db) =>', '((work: (db: Db) => Promise<readonly TableDigest[]>) => work(source.engine.db))((db) =>'],
    caughtBy: backups,
  },
  {
    name: 'backup-written-under-its-name',
    file: 'src/maintenance/backup/file-place.ts',
    replace: ['const part = join(folder, ', 'const part = path || join(folder, '],
    caughtBy: backups,
  },
  {
    name: 'backup-whose-sum-is-not-compared',
    file: 'src/maintenance/backup/backup-format.ts',
    replace: ['if (mark.sha256 !== sha256) throw', "if (mark.sha256 === undefined && sha256 !== '') throw"],
    caughtBy: backups,
  },
  {
    name: 'backup-that-leaves-out-a-table',
    file: 'src/maintenance/backup/backup-store.ts',
    replace: ['(table) => names.has(table)', "(table) => names.has(table) && table !== 'old_slugs'"],
    caughtBy: backups,
  },
  {
    name: 'keep-removes-the-newest',
    file: 'src/maintenance/backup/backup-place.ts',
    replace: ['.slice(0, -1)', '.slice(0)'],
    caughtBy: backups,
  },
  {
    name: 'restore-with-an-epoch-that-is-no-new-one',
    file: restore,
    replace: ['const epoch = newMark(context)\n', 'const epoch = header.installation.createdAt\n'],
    caughtBy: backups,
  },
  {
    name: 'restore-without-the-last-rows-of-a-table',
    file: 'src/maintenance/backup/backup-format.ts',
    replace: ['        if (table !== undefined && rows.length > 0) yield rowsOf(table, rows)\n', ''],
    caughtBy: backups,
  },
  {
    name: 'upgrade-without-a-transaction',
    file: 'src/database/sqlite/sqlite-engine.ts',
    replace: ['groups.alone((connection) => work(connection as Kysely<unknown>))', 'work(writing as unknown as Kysely<unknown>)'],
    caughtBy: upgrades,
  },
  {
    name: 'upgrade-without-a-transaction-on-postgresql',
    file: 'src/database/postgres/postgres-engine.ts',
    replace: [
      'return await transaction(kysely, beginWithin(unlimited), async (tx) => {',
      'return await ((work: (tx: Kysely<Tables>) => Promise<T>) => work(kysely))(async (tx) => {',
    ],
    caughtBy: upgrades,
  },
  {
    name: 'upgrade-without-a-backup',
    file: 'src/database/migrate.ts',
    replace: [
      'const isFilled = waiting.length > 0 && present.length > 0 &&',
      'const isFilled = waiting.length > 1 && present.length > 0 &&',
    ],
    caughtBy: upgrades,
  },
  {
    name: 'upgrade-that-says-nothing',
    file: 'src/database/migrate.ts',
    replace: ['    begins?.(name, i + 1, missing.length)\n', '    if (missing.length < i) begins?.(name, i + 1, missing.length)\n'],
    caughtBy: upgrades,
  },
]
