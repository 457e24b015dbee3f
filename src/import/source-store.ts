import { createHash } from 'node:crypto'
import type { Db, Tx } from '../database/engine.ts'
import { withHash } from '../database/row-hash.ts'
import type { SourceTable } from '../database/tables.ts'
import type { ProjectId } from '../values/ids.ts'
import type { SourceKind } from './source-post.ts'

/** What an import wrote: the resource, its path and hash in the source, and the version that the import left. */
export interface SourceEntry {
  readonly path: string
  /** SHA-256, in hexadecimal. */
  readonly hash: string
  readonly kind: SourceTable['kind']
  readonly resourceId: SourceTable['resource_id']
  readonly version: number
}

/** A key of an index on PostgreSQL has at most 2,704 bytes. */
const maxPathBytes = 1_024

/** The path of a post in the table, which also has authors, categories and media. */
export function postPath(path: string): string {
  return indexable(/^(?:author|category|media|sha256):/.test(path) ? `./${path}` : path)
}

export function authorPath(key: string): string {
  return indexable(`author:${key}`)
}

export function categoryPath(name: string): string {
  return indexable(`category:${name}`)
}

export function mediaPath(key: string): string {
  return indexable(`media:${key}`)
}

/** The hash of what the source says, for anything but posts. */
export function sourceHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** A path that is too long for an index is replaced by its hash. */
function indexable(path: string): string {
  return Buffer.byteLength(path) <= maxPathBytes ? path : `sha256:${createHash('sha256').update(path).digest('hex')}`
}

interface SourceScope {
  readonly projectId: ProjectId
  readonly source: SourceKind
}

/** The entries of these paths, by path. */
export async function findSources(db: Db, scope: SourceScope, paths: readonly string[]): Promise<ReadonlyMap<string, SourceEntry>> {
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('sources')
    .select(['path', 'hash', 'kind', 'resource_id as resourceId', 'version'])
    .where('project_id', '=', scope.projectId)
    .where('source', '=', scope.source)
    .where('path', 'in', paths)
    .execute()
  return new Map(rows.map((row) => [row.path, row]))
}

/** The paths of all posts that were imported from this kind of source. */
export async function listPostPaths(db: Db, { projectId, source }: SourceScope): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sources')
    .select('path')
    .where('project_id', '=', projectId)
    .where('source', '=', source)
    .where('kind', '=', 'post')
    .execute()
  return rows.map((row) => row.path)
}

/** Inserts new entries. If somebody else has inserted one of them meanwhile, it fails and the import of the batch is undone. */
export async function insertSources(tx: Tx, scope: SourceScope, entries: readonly SourceEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx
    .insertInto('sources')
    .values(entries.map((entry) => toRow(scope, entry)))
    .execute()
}

/** Updates an entry. */
export async function saveSource(tx: Tx, scope: SourceScope, entry: SourceEntry): Promise<void> {
  const { project_id, source, path, ...changing } = toRow(scope, entry)
  await tx
    .updateTable('sources')
    .set(changing)
    .where('project_id', '=', project_id)
    .where('source', '=', source)
    .where('path', '=', path)
    .execute()
}

function toRow({ projectId, source }: SourceScope, { resourceId, ...entry }: SourceEntry) {
  return withHash('sources', { project_id: projectId, source, resource_id: resourceId, ...entry })
}
