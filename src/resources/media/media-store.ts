import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { MediaTable } from '../../database/tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { containing, listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { cutToCodePoints } from '../../values/code-points.ts'
import { isId, type MediaId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'
import type { Media, MimeType } from './media.ts'
import type { mediaList } from './media-schema.ts'

type MediaPlan = ListPlan<typeof mediaList>

/** An index of whole URLs would be too large for PostgreSQL (2,704 bytes a key). */
const indexedUrlLength = 400

/** Separates file name and alternative text in the searched column: a noncharacter, so that no search spans both. A search with it finds nothing. */
const boundary = '\uffff'

const sortColumns: SortColumns<(typeof mediaList)['sorts'][number]> = {
  created_at: [{ column: 'created_at', type: 'text' }],
  name: [{ column: 'filename', type: 'text' }],
}

export async function findMedia(db: Db, projectId: ProjectId, id: string): Promise<Media | undefined> {
  if (!isId('med', id)) return undefined
  const row = await presentMedia(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toMedia(row)
}

/** The records with these ids, in no order. */
export async function findMediaRecords(db: Db, projectId: ProjectId, ids: readonly string[]): Promise<readonly Media[]> {
  const rows = await presentMedia(db, projectId)
    .selectAll()
    .where('id', 'in', ids as readonly MediaId[])
    .execute()
  return rows.map(toMedia)
}

/** The records of these URLs, the newest last. */
export async function findMediaByUrl(db: Db, projectId: ProjectId, urls: readonly string[]): Promise<readonly Media[]> {
  if (urls.length === 0) return []
  const starts = [...new Set(urls.map((url) => cutToCodePoints(url, indexedUrlLength)))]
  const rows = await presentMedia(db, projectId)
    .selectAll()
    .where(sql<string>`substr(media.url, 1, ${sql.lit(indexedUrlLength)})`, 'in', starts)
    .where('url', 'in', urls)
    .orderBy('id')
    .execute()
  return rows.map(toMedia)
}

export async function listMedia(db: Db, projectId: ProjectId, plan: MediaPlan): Promise<Page<Media>> {
  return listPage(filtered(db, projectId, plan).selectAll(), plan, orderTerms('media', plan.sort, sortColumns), toMedia)
}

/** Records deleted at `horizon` or before it. */
export async function listExpiredMedia(db: Db, projectId: ProjectId, horizon: Instant, most: number): Promise<readonly MediaId[]> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', '<=', horizon)
    .orderBy('deleted_at')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

export async function insertMedia(tx: Tx, projectId: ProjectId, media: Media): Promise<void> {
  await insertMediaRecords(tx, projectId, [media])
}

/** Inserts many records in one statement. */
export async function insertMediaRecords(tx: Tx, projectId: ProjectId, records: readonly Media[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map((media) => toRow(projectId, media))
  await tx.insertInto('media').values(rows).execute()
}

/** Writes a changed record over the version it was made from. False if another write was faster. */
export async function saveMedia(tx: Tx, projectId: ProjectId, before: Media, after: Media): Promise<boolean> {
  return overwrite(tx, before, toRow(projectId, after))
}

/** Hides a deleted record, one version on, until it is erased. False if another write was faster. */
export async function hideMedia(tx: Tx, projectId: ProjectId, before: Media, at: Instant): Promise<boolean> {
  return overwrite(tx, before, toRow(projectId, { ...before, updatedAt: at, version: before.version + 1 }, at))
}

/** Erases a record and its row in `sources`. Returns the version of the record, if there was one. */
export async function eraseMedia(tx: Tx, projectId: ProjectId, id: MediaId): Promise<number | undefined> {
  await tx.deleteFrom('sources').where('project_id', '=', projectId).where('resource_id', '=', id).execute()
  const erased = await tx
    .deleteFrom('media')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirst()
  return erased?.version
}

async function overwrite(tx: Tx, { version }: Media, { project_id, id, created_at, ...row }: ReturnType<typeof toRow>): Promise<boolean> {
  const updated = await tx
    .updateTable('media')
    .set(row)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

export function presentMedia(db: Db, projectId: ProjectId) {
  return db.selectFrom('media').where('project_id', '=', projectId).where('deleted_at', 'is', null)
}

function filtered(db: Db, projectId: ProjectId, { filters }: MediaPlan) {
  let media = presentMedia(db, projectId)
  if (filters.mime_type) media = media.where('mime_type', 'in', filters.mime_type)
  if (filters.search === undefined) return media
  if (filters.search.includes(boundary)) return media.where((eb) => eb.lit(false))
  return media.where(sql<boolean>`media.search_folded like ${containing(fold(filters.search))} escape '\\'`)
}

export function toMedia(row: Selectable<MediaTable>): Media {
  return {
    id: row.id,
    url: row.url,
    filename: row.filename,
    mimeType: row.mime_type as MimeType,
    size: row.size,
    width: row.width,
    height: row.height,
    alt: row.alt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

function toRow(projectId: ProjectId, media: Media, deletedAt: Instant | null = null) {
  const { mimeType, createdAt, updatedAt, ...same } = media
  return withHash('media', {
    project_id: projectId,
    mime_type: mimeType,
    search_folded: `${fold(media.filename)}${boundary}${fold(media.alt)}`,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: deletedAt,
    ...same,
  })
}
