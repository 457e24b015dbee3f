import { createHash } from 'node:crypto'
import type { Db, Tx } from '../database/engine.ts'
import type { SourceTable } from '../database/tables.ts'
import type { ProjectId } from '../values/ids.ts'
import type { SourceKind } from './source-post.ts'

/** Where a resource came from, what its source was like then, and the version that the import left. */
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

/** What a file is known as: by its path, told apart from the authors and categories beside it. */
export function postPath(path: string): string {
  return indexable(/^(?:author|category|sha256):/.test(path) ? `./${path}` : path)
}

export function authorPath(key: string): string {
  return indexable(`author:${key}`)
}

export function categoryPath(name: string): string {
  return indexable(`category:${name}`)
}

/** A text that no index could hold, by its hash. */
function indexable(path: string): string {
  return Buffer.byteLength(path) <= maxPathBytes ? path : `sha256:${createHash('sha256').update(path).digest('hex')}`
}

/** In which project, and from which kind of source. */
export interface SourceScope {
  readonly projectId: ProjectId
  readonly source: SourceKind
}

/** What is known of these paths, by path. */
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

/** The paths of every post that ever came from this kind of source. */
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

/** Keeps what was not known. A path that somebody else made known at the same moment is an error, and the work is undone. */
export async function insertSources(tx: Tx, { projectId, source }: SourceScope, entries: readonly SourceEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ resourceId, ...entry }) => ({ project_id: projectId, source, ...entry, resource_id: resourceId }))
  await tx.insertInto('sources').values(rows).execute()
}

/** Keeps what has become of a known source. */
export async function saveSource(tx: Tx, { projectId, source }: SourceScope, entry: SourceEntry): Promise<void> {
  await tx
    .updateTable('sources')
    .set({ hash: entry.hash, resource_id: entry.resourceId, version: entry.version })
    .where('project_id', '=', projectId)
    .where('source', '=', source)
    .where('path', '=', entry.path)
    .execute()
}
