import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { SourceFault, SourceSkip } from '../source-post.ts'
import { isDataFile } from './data-files.ts'
import { isFileError } from './read-file.ts'
import { readSites, type Site } from './site/site-config.ts'
import { isClosedFolder, rolesOf, type SkipReason } from './site/site-layouts.ts'

/** The files of a folder, found without opening any but configurations of sites. Paths are relative to `folder`, in code-point order. */
export interface FolderScan {
  readonly folder: string
  /** It is a whole folder and not a single file. */
  readonly isWhole: boolean
  /** The files that may hold a post. */
  readonly candidates: readonly string[]
  /** Files with data about posts: authors, defaults of a folder. */
  readonly dataFiles: readonly string[]
  /** Files that would say more of posts if somebody ran or read them. */
  readonly programs: readonly string[]
  /** Sites with a configuration, the deepest first. */
  readonly sites: readonly Site[]
  /** Everything that is no candidate, and folders that could not be read. */
  readonly others: readonly (SourceSkip | SourceFault)[]
}

/** Scans a folder, or a single file. Does not follow links, and ignores hidden files. */
export async function scanFolder(root: string): Promise<FolderScan> {
  const folder = resolve(root)
  try {
    const found = await stat(folder)
    if (found.isFile()) return aloneIn(dirname(folder), basename(folder))
    if (!found.isDirectory()) return unreadable(folder, 'it is neither a file nor a folder')
  } catch (error) {
    if (!isFileError(error)) throw error
    return unreadable(folder, `there is no such file or folder (${error.code})`)
  }
  const walk: Walk = { folder, files: [], others: [] }
  await lookInto(walk, '')
  return sortOut(walk)
}

interface Walk {
  readonly folder: string
  readonly files: string[]
  readonly others: (SourceSkip | SourceFault)[]
}

/** A single file is a post wherever it is, if its name allows it. */
function aloneIn(folder: string, name: string): FolderScan {
  const role = rolesOf([name], []).get(name) ?? 'other'
  return role !== 'data' && role !== 'other'
    ? { ...nothing(folder), candidates: [name] }
    : { ...nothing(folder), others: [skip(name, role)] }
}

function unreadable(folder: string, message: string): FolderScan {
  return { ...nothing(folder), others: [{ kind: 'fault', path: '', line: null, message }] }
}

function nothing(folder: string): FolderScan {
  return { folder, isWhole: false, candidates: [], dataFiles: [], programs: [], sites: [], others: [] }
}

async function lookInto(walk: Walk, path: string): Promise<void> {
  const entries = await listFolder(walk, path)
  const names = entries.map(({ name }) => name)
  for (const entry of entries) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isSymbolicLink()) walk.others.push(skip(inner, 'link'))
    else if (entry.isFile()) walk.files.push(inner)
    else if (!entry.isDirectory()) walk.others.push(skip(inner, 'other'))
    else if (isClosedFolder(inner, names)) walk.others.push(skip(inner, 'folder'))
    else await lookInto(walk, inner)
  }
}

async function listFolder(walk: Walk, path: string) {
  try {
    const entries = await readdir(join(walk.folder, path), { withFileTypes: true })
    return entries.filter(({ name }) => !name.startsWith('.'))
  } catch (error) {
    if (!isFileError(error)) throw error
    walk.others.push({ kind: 'fault', path, line: null, message: `the folder cannot be read (${error.code})` })
    return []
  }
}

function sortOut({ folder, files, others }: Walk): FolderScan {
  files.sort(byCodePoint)
  const sites = readSites(folder, files)
  const roles = [...rolesOf(files, sites)]
  const skipped = roles.flatMap(([path, role]) => (role === 'candidate' ? [] : skip(path, role)))
  return {
    folder,
    isWhole: true,
    candidates: roles.flatMap(([path, role]) => (role === 'candidate' ? path : [])),
    dataFiles: [...files.filter(isDataFile), ...roles.flatMap(([path, role]) => (role === 'section' ? path : []))],
    programs: roles.flatMap(([path, role]) => (role === 'program' ? path : [])),
    sites,
    others: [...skipped, ...others].sort((a, b) => byCodePoint(a.path, b.path)),
  }
}

function skip(path: string, reason: SkipReason): SourceSkip {
  return { kind: 'skip', path, reason }
}

/** Compares texts by code point, as both databases do. JavaScript compares UTF-16 units and puts emoji before `\uE000`. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const one = a.charCodeAt(index)
    const other = b.charCodeAt(index)
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

/** Surrogates come after every other unit: they are halves of the highest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
