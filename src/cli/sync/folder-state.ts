import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The state of a synchronised folder: how far it is, and which files are its own. */
export interface FolderState {
  readonly cursor: string | undefined
  /** Counts complete comparisons. A file of an earlier round that this round did not bring belongs to a post that is gone. */
  readonly round: number
  /** This round has brought everything that existed when it began. */
  readonly isWhole: boolean
  /** By the id of the post. */
  readonly files: ReadonlyMap<string, OwnFile>
  /** Names of files that were being written or deleted. They are its own even if that was interrupted. */
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

/** The state of a folder cannot be read. */
export class DamagedState extends Error {
  constructor(path: string) {
    super(`${path} is damaged. Remove it and the Markdown files that verso sync wrote, and run the command again: it writes them anew.`)
    this.name = 'DamagedState'
  }
}

const freshState: FolderState = { cursor: undefined, round: 1, isWhole: false, files: new Map(), claimed: [] }

/** The saved state of a folder, or a fresh one. */
export async function readState(folder: string): Promise<FolderState> {
  const text = await readFile(join(folder, stateName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return freshState
  const { format: made, ...state } = stateIn(text, join(folder, stateName))
  if (made !== format) throw new UnknownState(join(folder, stateName))
  return state
}

function stateIn(text: string, path: string): FolderState & Pick<StateFile, 'format'> {
  try {
    const { format: made, cursor, round, isWhole, files, claimed } = JSON.parse(text) as StateFile
    const own = Object.entries(files).filter(([, { name }]) => isFileName(name))
    return { format: made, cursor, round, isWhole, files: new Map(own), claimed: claimed.filter(isFileName) }
  } catch {
    throw new DamagedState(path)
  }
}

/** Another name in a state is none of ours: its file would be deleted, wherever it is. */
function isFileName(name: string): boolean {
  return /^[^/\\]+\.md$/.test(name)
}

export async function saveState(folder: string, { files, ...state }: FolderState): Promise<void> {
  await replaceFile(folder, stateName, `${JSON.stringify({ format, ...state, files: Object.fromEntries(files) })}\n`)
}

/** Writes a file completely or not at all. Another process may write to the folder at the same time, so each has a temporary file of its own. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.verso-sync.${process.pid}.tmp`)
  await writeFile(temporary, text)
  await rename(temporary, join(folder, name))
}

/** Removes what killed programs have left in a folder. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^\.verso-sync\.(?:(\d{1,10})\.)?tmp$/.exec(name) ?? []
    if (name === '.verso-sync.tmp' || (pid !== undefined && !isRunning(Number(pid)))) await rm(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
