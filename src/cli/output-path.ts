import { pathFault } from '../context.ts'
import { CommandFailed } from './errors.ts'

/** Writes to a path of the command line. If it cannot be written, the error says so in words. */
export async function writingTo<T>(path: string, write: () => Promise<T> | T): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const reason = pathFault(error)
    throw reason === undefined ? error : new CommandFailed(`${path} cannot be written: ${reason}.`)
  }
}
