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
  /** The ids of the authors and categories among them. */
  readonly names: readonly string[]
  /** Of records that got another slug, were deleted here, or are not as their file says. */
  readonly notes: ImportReport['notes']
}

/** Lists of an export that one transaction imports. */
export interface RecordsBatch extends Omit<ExportedRecords, 'faults'> {
  /** What was erased here comes back. */
  readonly force: boolean
}

/** Creates the authors, categories, tags and media of an export that the project never had, under their ids. What was deleted stays deleted. */
export const importExportedRecords: Action<RecordsBatch, ImportedRecords> = {
  name: 'transfer.import-records',
  async run(tx, caller, { authors, categories, tags, media, force }) {
    const { projectId, now } = caller
    const authorsHere = await some(ids(authors), (each) => findAuthors(tx, sightOf(caller), each))
    const categoriesHere = await some(ids(categories), (each) => findCategories(tx, projectId, each))
    const mediaHere = await some(ids(media), (each) => findMediaRecords(tx, projectId, each))
    const addable = <R extends ExportedRecord>(kind: RecordKind, wanted: readonly R[], here: readonly R[]) =>
      withoutDeleted(tx, projectId, { kind, unknown: without(wanted, here), force })
    const newAuthors = await underFreeSlugs(tx, projectId, 'author', await addable('author', authors, authorsHere))
    const newCategories = await underFreeSlugs(tx, projectId, 'category', await addable('category', categories, categoriesHere))
    const newMedia = await addable('media', media, mediaHere)
    await insertAuthors(tx, projectId, newAuthors.records)
    await insertCategories(tx, projectId, newCategories.records)
    await insertMediaRecords(tx, projectId, newMedia.records)
    const made = await insertTags(tx, projectId, tags, now)
    const created = { publicBefore: false, publicAfter: true } as const
    const changes: Change[] = [
      ...newAuthors.records.map(({ id, version }): Change => ({ kind: 'author', id, version, ...created, news: ['author.created'] })),
      ...newCategories.records.map(
        ({ id, version }): Change => ({ kind: 'category', id, version, ...created, news: ['category.created'] }),
      ),
      ...newMedia.records.map(({ id, version }): Change => ({ kind: 'media', id, version, ...created, news: ['media.created'] })),
    ]
    await recordChanges(tx, caller, changes)
    return {
      made: {
        authors: newAuthors.records.length,
        categories: newCategories.records.length,
        tags: made,
        media: newMedia.records.length,
      },
      names: [...ids(newAuthors.records), ...ids(newCategories.records)],
      notes: [
        ...notesOn(exportFiles.authors, [...newAuthors.notes, ...differing(authors, authorsHere)]),
        ...notesOn(exportFiles.categories, [...newCategories.notes, ...differing(categories, categoriesHere)]),
        ...notesOn(exportFiles.media, [...newMedia.notes, ...differing(media, mediaHere)]),
      ],
    }
  },
}

function notesOn(path: string, notes: readonly string[]): ImportReport['notes'] {
  return notes.map((note) => ({ path, note }))
}

/** Of records that are here already and that the file has otherwise: an import changes none. A slug may have got a number. */
function differing(wanted: readonly ExportedRecord[], here: readonly ExportedRecord[]): readonly string[] {
  const present = new Map(here.map((record) => [record.id, record]))
  return wanted.flatMap((record) => {
    const there = present.get(record.id)
    const fields = there ? differencesOf(record, there) : []
    return fields.length === 0 ? [] : `${quoted(nameOf(record))} is not the same here (${fields.join(', ')}); it stays as it is here`
  })
}

type ExportedRecord = Author | Category | Media
type RecordKind = 'author' | 'category' | 'media'

function nameOf(record: ExportedRecord): string {
  return 'filename' in record ? record.filename : record.name
}

function differencesOf({ id, version, createdAt, updatedAt, ...fields }: ExportedRecord, here: ExportedRecord): readonly string[] {
  const there = new Map<string, unknown>(Object.entries(here))
  const isSame = (name: string, value: unknown) =>
    there.get(name) === value || (name === 'slug' && isFormOf(String(there.get(name)), String(value)))
  return Object.entries(fields).flatMap(([name, value]) => (isSame(name, value) ? [] : name))
}

/** Records that the project does not have yet, and what is to be said of them. */
interface NewRecords<R> {
  readonly records: readonly R[]
  readonly notes: readonly string[]
}

interface Unknown<R> {
  readonly kind: RecordKind
  readonly unknown: readonly R[]
  readonly force: boolean
}

/** Records that were never here, and with `force` those that were erased, under a version that they never had. */
async function withoutDeleted<R extends ExportedRecord>(
  tx: Tx,
  projectId: ProjectId,
  { kind, unknown, force }: Unknown<R>,
): Promise<NewRecords<R>> {
  const trashed = kind === 'media' ? await findTrashed(tx, projectId, { table: 'media', ids: ids(unknown) }) : new Set()
  const lastVersions = await findLastVersions(tx, projectId, { kind, ids: unknown.map(({ id }) => id) })
  const isDeleted = ({ id }: R) => trashed.has(id) || (lastVersions.has(id) && !force)
  return {
    records: unknown.flatMap((each) => (isDeleted(each) ? [] : { ...each, version: (lastVersions.get(each.id) ?? 0) + 1 })),
    notes: unknown.filter(isDeleted).map((each) => `${quoted(nameOf(each))} was deleted here; left out`),
  }
}

/** A slug that another one has gets a number. */
async function underFreeSlugs<R extends Author | Category>(
  tx: Tx,
  projectId: ProjectId,
  kind: 'author' | 'category',
  { records, notes }: NewRecords<R>,
): Promise<NewRecords<R>> {
  const wanted = records.map(({ slug }) => slug)
  const some = await takenReferenceSlugs(tx, projectId, kind, wanted)
  const slugs = await freeSlugs(wanted, { taken: new Set(), some, near: (base) => referenceSlugsNear(tx, projectId, kind, base) })
  const renamed = records.flatMap(({ slug, name }, index) => {
    const got = slugs[index] ?? slug
    return got === slug ? [] : `the slug ${quoted(slug)} of ${quoted(name)} is taken; it became ${quoted(got)}`
  })
  return { records: records.map((record, index) => ({ ...record, slug: slugs[index] ?? record.slug })), notes: [...notes, ...renamed] }
}

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
