import { accessSync, closeSync, constants, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, messageOf, pathFault } from '../../context.ts'
import { UnsupportedDatabase } from '../unsupported-database.ts'

export interface DatabaseFiles {
  /** The path of the log beside the file. SQLite follows symbolic links and keeps it beside the target. */
  log(): string
  /** Whether the file was found without a log, though it was last opened by a program that writes one. */
  readonly lacksLog: boolean
}

/** Only for the user who runs the service. SQLite gives the log the mode of the database. */
const [folderMode, fileMode] = [0o700, 0o600]
/** Permissions of the group and of all others. */
const others = 0o077

/** Creates the folder and the file if they are missing, for this user alone. */
export function prepareFiles(path: string): DatabaseFiles {
  const folder = dirname(path)
  creating(`The folder ${folder} for the database`, () => makeFolder(folder, folderMode))
  const isNew = !existsSync(path)
  if (!isNew && statSync(path).isDirectory())
    throw new UnsupportedDatabase(`${path} is a folder; the database must be a file, such as ${join(path, 'verso.db')}.`)
  if (isNew) creating(`The database ${path}`, () => closeSync(openSync(path, 'a', fileMode)))
  requireWritable(realpathSync(path))
  requireWritableFolder(realpathSync(path))
  const log = () => `${realpathSync(path)}-wal`
  return { log, lacksLog: !isNew && !existsSync(log()) && isWrittenByLog(path) }
}

/** Asked before SQLite opens the file: it would make a log that cannot be written either, and leave it there. */
export function requireWritable(
  path: string,
  access: (file: string) => void = (file) => accessSync(file, constants.R_OK | constants.W_OK),
): void {
  for (const file of ['', '-wal', '-shm'].map((end) => path + end).filter((each) => existsSync(each)))
    try {
      access(file)
    } catch (error) {
      const reason = pathFault(error) ?? messageOf(error)
      throw new UnsupportedDatabase(
        `The file ${file} cannot be written: ${reason}. Verso must be able to read and write the database and its log: run it as the owner of the files, with mode 600 (chmod 600 ${file}).`,
      )
    }
}

/** SQLite makes its log in the folder, unless it is there. */
export function requireWritableFolder(
  path: string,
  access: (folder: string) => void = (folder) => accessSync(folder, constants.W_OK | constants.X_OK),
): void {
  if (['-wal', '-shm'].every((end) => existsSync(path + end))) return
  try {
    access(dirname(path))
  } catch (error) {
    const reason = pathFault(error) ?? messageOf(error)
    throw new UnsupportedDatabase(
      `The folder ${dirname(path)} cannot be written: ${reason}. SQLite keeps the log of the database in it: run Verso as the owner of the folder, with mode 700 (chmod 700 ${dirname(path)}).`,
    )
  }
}

function creating(what: string, create: () => void): void {
  try {
    create()
  } catch (error) {
    throw new UnsupportedDatabase(`${what} cannot be created: ${pathFault(error) ?? messageOf(error)}.`)
  }
}

/** The header says so (https://sqlite.org/fileformat.html, offset 18). A copy by `vacuum into` says otherwise, since it needs no log. */
function isWrittenByLog(path: string): boolean {
  const header = Buffer.alloc(20)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return header[18] === 2
}

/** A warning for each file or folder of the database, and the key beside it (`webhook-settings.ts`), that other users of the machine can use. */
export function wideModes(path: string): readonly string[] {
  if (process.platform === 'win32') return []
  const files = [dirname(path), ...['', '-wal', '-shm', '.secret'].map((end) => path + end)].filter((each) => existsSync(each))
  return files.flatMap((each) => {
    const mode = statSync(each).mode & 0o777
    const wanted = (each === dirname(path) ? folderMode : fileMode).toString(8)
    return (mode & others) === 0
      ? []
      : [`${each} has mode ${mode.toString(8)}: other users of this machine may get at it (chmod ${wanted}).`]
  })
}
