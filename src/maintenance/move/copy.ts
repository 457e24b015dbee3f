import type { Db, Engine } from '../../database/engine.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'
import { countRows, listBatches } from './copy-store.ts'
import { MoveSuperseded } from './move-rules.ts'
import { fillTarget } from './move-store.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'
import { type Digest, digestRows, type Row } from './row-digest.ts'

/** A database and its address without user and password. */
export interface Side {
  readonly engine: Engine
  readonly place: string
}

/** A table that was copied, with its digest. */
export interface MovedRows extends Digest {
  readonly table: MovedTable
}

/** Reports the progress of a move and may stop it. */
export interface MoveWatch {
  /** A step begins: rows to copy, posts to index, or rows to read back. */
  begins(step: 'copy' | 'index' | 'verify', rows: number): void
  /** How many of them are done. */
  reached(rows: number): void
  isStopped(): boolean
}

/** Thrown between two batches if the operator stops the move. */
export class MoveStopped extends Error {
  constructor() {
    super('The move was stopped.')
    this.name = 'MoveStopped'
  }
}

type OnBatch = (table: MovedTable, rows: readonly Row[]) => Promise<void>

/** Copies every row of a snapshot of the source. Returns the digest of each table. */
export async function copyTables(
  source: Db,
  target: Side,
  { moveId, watch }: { moveId: string; watch: MoveWatch },
): Promise<readonly MovedRows[]> {
  const counts = new Map<MovedTable, number>()
  for (const table of movedTables) counts.set(table, await countRows(source, table))
  watch.begins('copy', sum([...counts.values()]))
  const { engine, place } = target
  const copied = await readTables(source, watch, async (table, rows) => {
    if (!(await engine.alone((tx) => fillTarget(tx, moveId, { table, rows })))) throw new MoveSuperseded(place)
  })
  for (const { table, rows } of copied) requireSame(table, `${rows} rows`, `${counts.get(table)} rows`)
  return copied
}

/** Reads the copy back and refuses any difference. */
export async function verifyTables(target: Db, copied: readonly MovedRows[], watch: MoveWatch): Promise<void> {
  watch.begins('verify', sum(copied.map(({ rows }) => rows)))
  const found = await readTables(target, watch, async () => undefined)
  for (const [i, { table, rows, sha256 }] of found.entries())
    requireSame(table, `${rows} rows with the hash ${sha256}`, `${copied[i]?.rows} rows with the hash ${copied[i]?.sha256}`)
}

async function readTables(db: Db, watch: MoveWatch, onBatch: OnBatch): Promise<readonly MovedRows[]> {
  const found: MovedRows[] = []
  let reached = 0
  for (const table of movedTables) {
    const digest = digestRows()
    for await (const rows of listBatches(db, table)) {
      if (watch.isStopped()) throw new MoveStopped()
      await onBatch(table, rows)
      digest.add(rows)
      reached += rows.length
      watch.reached(reached)
    }
    found.push({ table, ...digest.result() })
  }
  return found
}

function requireSame(table: MovedTable, found: string, expected: string): void {
  if (found === expected) return
  throw new UnsupportedDatabase(`The copy is not the same: ${table} has ${found} instead of ${expected}.`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
