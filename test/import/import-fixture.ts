import type { ImportReport } from '../../src/import/import-report.ts'
import { openFolder } from '../../src/import/markdown/read-folder.ts'
import { runImport } from '../../src/import/run-import.ts'
import type { TestApp } from '../harness/harness.ts'
import { blogOf, writeFiles } from './blog-fixture.ts'
import { testNow } from './post-fixture.ts'

type Files = Readonly<Record<string, string | Uint8Array | null>>
type Options = Partial<Parameters<typeof runImport>[3]>

/** A blog in a folder of its own, imported into a running Verso as often as a test likes. */
export interface TestBlog {
  readonly root: string
  /** Writes files, or takes them away where there is `null`. */
  write(files: Files): Promise<void>
  import(options?: Options): Promise<ImportReport>
}

export async function blogFor(verso: TestApp, files: Readonly<Record<string, string | Uint8Array>>): Promise<TestBlog> {
  const root = await blogOf(files)
  return {
    root,
    write: (changed) => writeFiles(root, changed),
    import: (options) => importInto(verso, root, options),
  }
}

export async function importInto(verso: Pick<TestApp, 'app' | 'projectId'>, root: string, options: Options = {}): Promise<ImportReport> {
  const plain = { force: false, dryRun: false, isStopped: () => false, onProgress: () => undefined }
  return runImport(verso.app.installation, verso.projectId, await openFolder(root, { now: testNow }), { ...plain, ...options })
}

/** How far the log of the project is, and how far as the public can tell. */
export async function revisionsOf({ app, projectId }: TestApp): Promise<readonly [revision: number, publicRevision: number]> {
  const { db } = app.installation
  const row = await db.selectFrom('project_state').selectAll().where('project_id', '=', projectId).executeTakeFirstOrThrow()
  return [row.revision, row.public_revision]
}

/** The log of the project from its beginning: news, version, who. */
export async function logOf({ app, projectId }: TestApp): Promise<readonly (readonly [number, string, number, string])[]> {
  const rows = await app.installation.db.selectFrom('changes').selectAll().where('project_id', '=', projectId).orderBy('seq').execute()
  return rows.map(({ seq, news, version, actor }) => [seq, news, version, actor])
}
