import { type Instant, later } from '../../values/instant.ts'

/** A backup that is being written. Nobody finds half of one under its name. */
export interface BackupFile {
  /** As people read it: a path or `s3://…`. */
  readonly name: string
  /** Writes all of it, flushed. */
  write(bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads what was written. */
  read(): AsyncIterable<Uint8Array>
  /** Makes it visible under its name. */
  commit(): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

/** A folder, or the objects under a prefix. */
export interface BackupFolder {
  /** As people read it. */
  readonly name: string
  /** The names in it, within the folder. */
  list(): Promise<readonly string[]>
  file(name: string): BackupFile
  remove(name: string): Promise<void>
}

/** What a backup that was killed leaves behind may be removed after this time. */
const leftBehindMs = 24 * 3_600_000

/** Names sort by time: `verso-2026-11-22T05-00-00.000Z.ndjson.gz`. */
export function backupName(at: Instant): string {
  return `verso-${at.replaceAll(':', '-')}.ndjson.gz`
}

/** The backups among names, oldest first. */
export function backupsAmong(names: readonly string[]): readonly string[] {
  return names.filter((name) => timeIn(name, complete) !== undefined).toSorted()
}

/** The backups that are older than `keepMs` at an instant, without the newest, and what killed backups left behind. */
export function outdated(names: readonly string[], now: Instant, keepMs: number): readonly string[] {
  const isBefore = (pattern: RegExp, limit: Instant) => (name: string) => (timeIn(name, pattern) ?? limit) < limit
  const old = backupsAmong(names)
    .slice(0, -1)
    .filter(isBefore(complete, later(now, -keepMs)))
  return [...old, ...names.filter(isBefore(leftBehind, later(now, -leftBehindMs)))]
}

const complete = /^verso-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.ndjson\.gz$/
const leftBehind = /^\.verso-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.ndjson\.gz\.[0-9a-f]+\.part$/

function timeIn(name: string, pattern: RegExp): string | undefined {
  const [, day, hours, minutes, seconds] = pattern.exec(name) ?? []
  return day && `${day}T${hours}:${minutes}:${seconds}`
}
