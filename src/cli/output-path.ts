import { CommandFailed } from './errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a part of the path is a file, not a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOENT: 'its folder is not there and was not created',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Writes to a path of the command line. If it cannot be written, the error says so in words. */
export async function writingTo<T>(path: string, write: () => Promise<T> | T): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : new CommandFailed(`${path} cannot be written: ${reason}.`)
  }
}

/** Errors of connections have the same codes, but no path. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return 'path' in error || error.code === 'ENOSPC' ? reasons[String(error.code)] : undefined
}
