import { type QueryExecutorProvider, sql } from 'kysely'

/** One to five milliseconds of work: a request that passes several turns of the event loop meets as many steps. */
const pagesPerStep = 4
/** A page has 4,000 letters, and is merged about ten times. */
const lettersPerMergedPage = 400

const steps = ['search_titles', 'search_words'].map((table) =>
  sql.raw(`insert into ${table} (${table}, rank) values ('merge', ${pagesPerStep})`),
)

/**
 * FTS5 writes what a transaction adds to an index as a part of its own, and merges parts in a commit as their number grows. After long texts
 * that would take a tenth of a second. This merges in short turns, somewhat more than words of so many letters add to the work
 * (https://sqlite.org/fts5.html#the_merge_command).
 */
export async function mergeParts(tx: QueryExecutorProvider, letters: number, turn: () => Promise<void> | undefined): Promise<void> {
  for (let pages = pagesPerStep + letters / lettersPerMergedPage; pages > 0; pages -= pagesPerStep)
    for (const step of steps) {
      await step.execute(tx)
      await turn()
    }
}
