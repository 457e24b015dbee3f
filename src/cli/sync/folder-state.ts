import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from './replace-file.ts'

/** What a folder knows of itself: how far it is, and which files are its own. */
export interface FolderState {
  readonly cursor: string | undefined
  /** Counts the beginnings: a file of an earlier one that this one did not bring is of a post that is gone. */
  readonly round: number
  /** Whether everything there was when this round began has been brought. */
  readonly isWhole: boolean
  /** By the id of the post. */
  readonly files: ReadonlyMap<string, OwnFile>
  /** Names of files that were being written or deleted, its own whether or not that came to an end. */
  readonly claimed: readonly string[]
}

export interface OwnFile {
  readonly name: string
  readonly round: number
}

const stateName = '.verso-sync.json'
const format = 1

interface StateFile extends Omit<FolderState, 'files'> {
  readonly format: number
  readonly files: Readonly<Record<string, OwnFile>>
}

/** A later version of Verso wrote the state of a folder. */
export class UnknownState extends Error {
  constructor(path: string) {
    super(`${path} was written by another version of verso sync; use that one, or another folder.`)
    this.name = 'UnknownState'
  }
}

const freshState: FolderState = { cursor: undefined, round: 1, isWhole: false, files: new Map(), claimed: [] }

/** The state of a folder that was kept before; a fresh one where there is none. */
export async function readState(folder: string): Promise<FolderState> {
  const text = await readFile(join(folder, stateName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return freshState
  const { format: made, cursor, round, isWhole, files, claimed } = JSON.parse(text) as StateFile
  if (made !== format) throw new UnknownState(join(folder, stateName))
  return { cursor, round, isWhole, files: new Map(Object.entries(files)), claimed }
}

export async function saveState(folder: string, { files, ...state }: FolderState): Promise<void> {
  await replaceFile(folder, stateName, `${JSON.stringify({ format, ...state, files: Object.fromEntries(files) })}\n`)
}
