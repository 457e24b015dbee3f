import { startStopwatch } from '../../values/stopwatch.ts'
import type { Tx } from '../engine.ts'

const indexes = ['search_words', 'search_titles'] as const
/** Pages that one step merges, and how long the steps may take when the database is closed. */
const [mergePages, mergeMs] = [500, 5_000]

/** The writing connection of the driver. */
interface Writer {
  readonly inTransaction: boolean
  exec(text: string): unknown
  prepare(text: string): { pluck(): { get(): unknown } }
}

/** Remembers in the database that its index holds words of erased posts, whatever becomes of this process. */
export async function markErasure(tx: Tx): Promise<void> {
  await tx.updateTable('installation').set({ has_erased: 1 }).where('has_erased', '=', 0).execute()
}

/**
 * FTS5 only marks deleted rows, and drops their words when it merges the parts of its index (https://sqlite.org/fts5.html#the_merge_command).
 * Where that takes too long or fails, the next close goes on.
 */
export function dropErasedWords(writer: Writer): void {
  try {
    if (numberIn(writer, 'select has_erased from installation') !== 1) return
    const isInTime = limit()
    for (const index of indexes) {
      let goesOn = merge(writer, index, -mergePages)
      while (goesOn && isInTime()) goesOn = merge(writer, index, mergePages)
      if (goesOn) return
    }
    unmark(writer)
  } catch {
    // A full disk, a failed one, or another process that writes: what is there stays as it is.
    if (writer.inTransaction) writer.exec('rollback')
  }
}

function limit(): () => boolean {
  const elapsed = startStopwatch()
  return () => elapsed() < mergeMs
}

/** Another process may have erased something since, so this looks once more while nobody else writes. */
function unmark(writer: Writer): void {
  writer.exec('begin immediate')
  if (!indexes.some((index) => merge(writer, index, -mergePages))) writer.exec('update installation set has_erased = 0')
  writer.exec('commit')
}

/** False if there was nothing to merge. */
function merge(writer: Writer, index: (typeof indexes)[number], pages: number): boolean {
  const written = () => numberIn(writer, 'select total_changes()')
  const before = written()
  writer.exec(`insert into ${index} (${index}, rank) values ('merge', ${pages})`)
  return written() - before > 1
}

function numberIn(writer: Writer, query: string): number {
  return Number(writer.prepare(query).pluck().get() ?? 0)
}
