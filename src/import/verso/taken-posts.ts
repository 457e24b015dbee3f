import { readRecord, saveRecord, type TakenPost } from '../../maintenance/export/export-record.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { ExportedPost } from './exported-posts.ts'

/** What a folder remembers of its imports into one project: without it, an import would take its own last one for somebody else's change. */
export interface TakenPosts {
  /** When the project's post was changed last, as far as the folder knows. */
  knownOf(exported: ExportedPost): Instant
  /** The file and the post are the same now. */
  take(exported: ExportedPost, here: Instant): void
  save(): Promise<void>
}

export async function readTakenPosts(folder: string, projectId: ProjectId): Promise<TakenPosts> {
  const before = (await readRecord(folder))?.imported[projectId] ?? {}
  const taken = new Map<string, TakenPost>(Object.entries(before))
  const files = new Map<string, string>()
  return {
    knownOf({ post: { id, updatedAt } }) {
      const last = taken.get(id)
      // A file that was exported anew tells more than the import of the one before.
      return last?.file === updatedAt ? last.here : updatedAt
    },
    take({ path, hash, post: { id, updatedAt } }, here) {
      if (hash !== null) files.set(path, hash)
      if (here === updatedAt) taken.delete(id)
      else taken.set(id, { file: updatedAt, here })
    },
    async save() {
      const after = Object.fromEntries([...taken].sort(([a], [b]) => (a < b ? -1 : 1)))
      const record = await readRecord(folder)
      if (record === undefined) return
      // What the project has, too, the next export may write over.
      const ownFiles = record.project === projectId ? [...files].filter(([path, hash]) => record.files.get(path) !== hash) : []
      if (ownFiles.length === 0 && JSON.stringify(after) === JSON.stringify(before)) return
      const { [projectId]: _, ...others } = record.imported
      const imported = taken.size > 0 ? { ...others, [projectId]: after } : others
      await saveRecord(folder, { ...record, files: new Map([...record.files, ...ownFiles]), imported })
    },
  }
}
