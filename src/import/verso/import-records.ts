import type { Action } from '../../actions/action.ts'
import { sightOf } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { findLastVersions, recordChanges } from '../../actions/change-log/change-log-store.ts'
import type { Tx } from '../../database/engine.ts'
import { exportFiles } from '../../maintenance/export/export-format.ts'
import type { Author } from '../../resources/authors/author.ts'
import { findAuthors, insertAuthors } from '../../resources/authors/author-store.ts'
import type { Category } from '../../resources/categories/category.ts'
import { findCategories, insertCategories } from '../../resources/categories/category-store.ts'
import type { Media } from '../../resources/media/media.ts'
import { findMediaRecords, insertMediaRecords } from '../../resources/media/media-store.ts'
import { referenceSlugsNear, takenReferenceSlugs } from '../../resources/references/reference-slug-store.ts'
import type { ProjectId } from '../../values/ids.ts'
import { freeSlugs, isFormOf } from '../choose-slugs.ts'
import type { BatchReport, ImportReport } from '../import-report.ts'
import { quoted } from '../source-limits.ts'
import type { ExportedRecords } from './exported-records.ts'
import { findTrashed, insertTags } from './exported-store.ts'

interface ImportedRecords {
  readonly made: BatchReport['made']
  /** Of records that got another slug, or are not as their file says. */
  readonly notes: ImportReport['notes']
}

/** Lists of an export that one transaction imports. */
export interface RecordsBatch extends Omit<ExportedRecords, 'faults'> {
  /** Media that were erased here come back. */
  readonly force: boolean
}

/** Creates the authors, categories, tags and media of an export that the project does not have, under their ids. Deleted media stay deleted. */
export const importExportedRecords: Action<RecordsBatch, ImportedRecords> = {
  name: 'transfer.import-records',
  async run(tx, caller, { authors, categories, tags, media, force }) {
    const { projectId, now } = caller
    const authorsHere = await some(ids(authors), (each) => findAuthors(tx, sightOf(caller), each))
    const categoriesHere = await some(ids(categories), (each) => findCategories(tx, projectId, each))
    const mediaHere = await some(ids(media), (each) => findMediaRecords(tx, projectId, each))
    const unknownAuthors = without(authors, authorsHere)
    const unknownCategories = without(categories, categoriesHere)
    const newAuthors = await underFreeSlugs(tx, projectId, 'author', unknownAuthors)
    const newCategories = await underFreeSlugs(tx, projectId, 'category', unknownCategories)
    const { newMedia, deletedMedia } = await sortOutDeleted(tx, projectId, without(media, mediaHere), force)
    await insertAuthors(tx, projectId, newAuthors)
    await insertCategories(tx, projectId, newCategories)
    await insertMediaRecords(tx, projectId, newMedia)
    const made = await insertTags(tx, projectId, tags, now)
    const created = { version: 1, publicBefore: false, publicAfter: true } as const
    const changes: Change[] = [
      ...newAuthors.map(({ id }): Change => ({ kind: 'author', id, ...created, news: ['author.created'] })),
      ...newCategories.map(({ id }): Change => ({ kind: 'category', id, ...created, news: ['category.created'] })),
      ...newMedia.map(({ id, version }): Change => ({ kind: 'media', id, ...created, version, news: ['media.created'] })),
    ]
    await recordChanges(tx, caller, changes)
    return {
      made: { authors: newAuthors.length, categories: newCategories.length, tags: made, media: newMedia.length },
      notes: [
        ...notesOn(exportFiles.authors, [...renamed(unknownAuthors, newAuthors), ...differing(authors, authorsHere)]),
        ...notesOn(exportFiles.categories, [...renamed(unknownCategories, newCategories), ...differing(categories, categoriesHere)]),
        ...notesOn(exportFiles.media, [...deletedMedia.map(deletedNote), ...differing(media, mediaHere)]),
      ],
    }
  },
}

function notesOn(path: string, notes: readonly string[]): ImportReport['notes'] {
  return notes.map((note) => ({ path, note }))
}

function deletedNote({ filename }: Media): string {
  return `${quoted(filename)} was deleted here; left out`
}

/** Of records that are here already and that the file has otherwise: an import changes none. A slug may have got a number. */
function differing(wanted: readonly ExportedRecord[], here: readonly ExportedRecord[]): readonly string[] {
  const present = new Map(here.map((record) => [record.id, record]))
  return wanted.flatMap((record) => {
    const there = present.get(record.id)
    const fields = there ? differencesOf(record, there) : []
    const name = 'filename' in record ? record.filename : record.name
    return fields.length === 0 ? [] : `${quoted(name)} is not the same here (${fields.join(', ')}); it stays as it is here`
  })
}

type ExportedRecord = Author | Category | Media

function differencesOf({ id, version, createdAt, updatedAt, ...fields }: ExportedRecord, here: ExportedRecord): readonly string[] {
  const there = new Map<string, unknown>(Object.entries(here))
  const isSame = (name: string, value: unknown) =>
    there.get(name) === value || (name === 'slug' && isFormOf(String(there.get(name)), String(value)))
  return Object.entries(fields).flatMap(([name, value]) => (isSame(name, value) ? [] : name))
}

/** Media that were never here, and with `force` those that were erased, under a version that they never had. */
async function sortOutDeleted(tx: Tx, projectId: ProjectId, unknown: readonly Media[], force: boolean) {
  const trashed = await findTrashed(tx, projectId, { table: 'media', ids: ids(unknown) })
  const lastVersions = await findLastVersions(tx, projectId, { kind: 'media', ids: unknown.map(({ id }) => id) })
  const isDeleted = ({ id }: Media) => trashed.has(id) || (lastVersions.has(id) && !force)
  const newMedia = unknown.flatMap((each) => (isDeleted(each) ? [] : { ...each, version: (lastVersions.get(each.id) ?? 0) + 1 }))
  return { newMedia, deletedMedia: unknown.filter(isDeleted) }
}

/** A slug that another one has gets a number. */
async function underFreeSlugs<R extends { readonly slug: string }>(
  tx: Tx,
  projectId: ProjectId,
  kind: 'author' | 'category',
  records: readonly R[],
): Promise<readonly R[]> {
  const wanted = records.map(({ slug }) => slug)
  const some = await takenReferenceSlugs(tx, projectId, kind, wanted)
  const slugs = await freeSlugs(wanted, { taken: new Set(), some, near: (base) => referenceSlugsNear(tx, projectId, kind, base) })
  return records.map((record, index) => ({ ...record, slug: slugs[index] ?? record.slug }))
}

function renamed(wanted: readonly Named[], made: readonly Named[]): readonly string[] {
  return wanted.flatMap(({ slug, name }, index) => {
    const got = made[index]?.slug ?? slug
    return got === slug ? [] : `the slug ${quoted(slug)} of ${quoted(name)} is taken; it became ${quoted(got)}`
  })
}

type Named = { readonly slug: string; readonly name: string }

/** What is found for these ids; nothing for none, which SQL cannot ask for. */
export async function some<T>(wanted: readonly string[], find: (ids: readonly string[]) => Promise<readonly T[]>): Promise<readonly T[]> {
  return wanted.length === 0 ? [] : find(wanted)
}

export function ids(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id)
}

function without<T extends { readonly id: string }>(records: readonly T[], known: readonly { readonly id: string }[]): readonly T[] {
  const there = new Set(ids(known))
  return records.filter(({ id }) => !there.has(id))
}
