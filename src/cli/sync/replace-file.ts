import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One name for all of them: what a killed program has left behind is written over by the next. */
const draftName = '.verso-sync.tmp'

/** Writes a file whole or not at all. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, draftName), text)
  await rename(join(folder, draftName), join(folder, name))
}
