import type { FieldMap } from '../front-matter/field-value.ts'
import { parseText } from '../front-matter/parse-front-matter.ts'
import { type FrontMatterFormat, isFlaw, type SourceFault } from '../source-post.ts'
import { type AuthorFile, isAuthorFile, peopleIn } from './author-files.ts'
import { extensionOf } from './file-path.ts'
import { type FolderFiles, fieldsIn, isFolderFile } from './folder-defaults.ts'
import { readSourceFile } from './read-file.ts'

/** What the files beside the posts say. */
export interface BlogData {
  readonly authorFiles: readonly AuthorFile[]
  readonly folderFiles: FolderFiles
  readonly faults: readonly SourceFault[]
}

const formats: Readonly<Record<string, FrontMatterFormat>> = { yml: 'yaml', yaml: 'yaml', toml: 'toml', json: 'json' }

/** Whether a file is data that posts are read with. */
export function isDataFile(path: string): boolean {
  return isAuthorFile(path) || isFolderFile(path)
}

/** Reads the data files at these paths, one after the other. */
export function readDataFiles(folder: string, paths: readonly string[]): BlogData {
  const authorFiles: AuthorFile[] = []
  const folderFiles = new Map<string, FieldMap>()
  const faults: SourceFault[] = []
  for (const path of paths) {
    const value = readDataFile(folder, path)
    if (isFlaw(value)) faults.push({ kind: 'fault', path, line: value.line, message: value.flaw })
    else if (isAuthorFile(path)) authorFiles.push({ path, people: peopleIn(value.value) })
    else folderFiles.set(path, fieldsIn(value.value))
  }
  return { authorFiles, folderFiles, faults }
}

function readDataFile(folder: string, path: string) {
  const file = readSourceFile(folder, path)
  return isFlaw(file) ? file : parseText(formats[extensionOf(path)] ?? 'none', file.text.replace(/^\uFEFF/, ''), 1)
}
