import { type Kysely, sql } from 'kysely'
import type { OpenFile } from '../../context.ts'
import type { WriteGroups } from '../group-commit.ts'
import type { Tables } from '../tables.ts'
import type { DatabaseFiles } from './database-files.ts'
import { toProblem } from './sqlite-errors.ts'

const withoutItsLog =
  'a service used this file when it was last written, and its log (-wal) is not there. If this is a copy that cp made, the latest writes are missing from it: docs/how-to/operate.md#back-up'

/** The writing connection of the driver. */
interface Writer {
  readonly open: boolean
  pragma(text: string, options?: { readonly simple: boolean }): unknown
}

interface FileUseParts {
  readonly writer: Writer
  readonly files: DatabaseFiles
  readonly groups: WriteGroups<Kysely<Tables>>
  openLog(): Promise<OpenFile>
}

/**
 * The mark of the process that serves the file, 0 once the service has stopped in order. It is in the file's header, which a copy of the file
 * has as well: so a copy without the log, that is, without the latest writes, can be told.
 */
interface FileUse {
  /** A service begins: marks the file, and makes sure that all that can be read is on the disk. */
  begin(): Promise<void>
  /** The service stops. Returns whether one had begun. */
  end(): Promise<boolean>
  /** A sentence if the file seems to be a copy that lacks the latest writes. */
  missingLog(): string | undefined
  /** Removes the mark of a service that has died. */
  unmarkIfLast(): void
}

export function openFileUse({ writer, files, groups, openLog }: FileUseParts): FileUse {
  let isServing = false
  const mark = (pid: number) => groups.alone((connection) => sql`pragma user_version = ${sql.lit(pid)}`.execute(connection))
  const isMarked = () => writer.pragma('user_version', { simple: true }) !== 0
  /** What an earlier process has left in the log may be in the system's memory alone, if its last flush failed. Afterwards it is on the disk. */
  const renewLog = async () => {
    if (copyWholeLog(writer)) return
    // A backup, say, still reads from the log.
    await groups.alone(async () => {
      const log = await openLog()
      await log
        .rewrite()
        .then(() => log.datasync())
        .finally(() => log.close())
    })
  }
  return {
    async begin() {
      await mark(process.pid)
      isServing = true
      try {
        await renewLog()
      } catch (error) {
        throw toProblem(error)
      }
    },
    async end() {
      const wasServing = isServing
      if (wasServing) await mark(0).catch(() => undefined)
      isServing = false
      return wasServing
    },
    missingLog: () => (files.lacksLog && isMarked() ? withoutItsLog : undefined),
    unmarkIfLast() {
      // It may be closed already.
      if (!files.lacksLog && writer.open && isMarked()) unmark(writer)
    },
  }
}

/**
 * The log would be deleted when the last connection is closed, and the file look like a copy without it. Leaving WAL succeeds only on the last
 * connection, and takes all of the log into the file.
 */
function unmark(writer: Writer): void {
  try {
    if (writer.pragma('journal_mode = delete', { simple: true }) !== 'delete') return
    writer.pragma('user_version = 0')
    writer.pragma('journal_mode = wal')
  } catch {
    // Somebody else uses the file, or the disk is full.
  }
}

/** Copies the whole log into the database, flushed, and begins it anew; false if somebody else uses it. */
function copyWholeLog(writer: Writer): boolean {
  const [result] = writer.pragma('wal_checkpoint(truncate)') as readonly { readonly busy: number }[]
  return result?.busy === 0
}
