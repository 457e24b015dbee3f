import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operator, sightOf } from '../../../src/actions/caller.ts'
import { importExport } from '../../../src/import/verso/import-export.ts'
import { type ExportReport, exportProject } from '../../../src/maintenance/export/export-project.ts'
import type { TestApp } from '../../harness/harness.ts'

type Options = Partial<Parameters<typeof exportProject>[3]>

export async function exportFrom({ app, projectId }: TestApp, folder: string, options: Options = {}): Promise<ExportReport> {
  const { engine } = app.installation
  const plain = { force: false, begins: () => undefined, reached: () => undefined, isStopped: () => false }
  return exportProject(engine, sightOf(operator(projectId, 'cli', await engine.now())), folder, { ...plain, ...options })
}

export async function importExportInto({ app, projectId }: TestApp, folder: string, options: { force?: boolean; dryRun?: boolean } = {}) {
  const plain = { force: false, dryRun: false, isStopped: () => false, begins: () => undefined, onProgress: () => undefined }
  return importExport(app.installation, projectId, folder, { ...plain, ...options })
}

/** The hash of every file of a folder, by path; of its record without the project that it names. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const bytesOf = (path: string) =>
    path.endsWith('verso-export.json') ? readFileSync(path, 'utf8').replace(/^ "project": .*\n/m, '') : readFileSync(path)
  const hash = (path: string) => createHash('sha256').update(bytesOf(path)).digest('hex')
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), hash(path)]).sort())
}
