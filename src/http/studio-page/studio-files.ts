import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Problem } from '../../values/problems.ts'
import type { Coding } from '../content-coding.ts'

/** A file of the studio, as the build lists it in `files.json`. */
interface StudioFile {
  readonly type: string
  /** A hash of its bytes. */
  readonly hash: string
  /** The codings that lie ready beside it, by their names: `br` in `name.br`. */
  readonly codings: readonly Coding[]
}

/** The built studio: `dist/studio`. */
export interface StudioFiles {
  readonly files: ReadonlyMap<string, StudioFile>
  /** The bytes of a file. They are read each time: browsers keep them, so they need no memory here. */
  read(name: string, coding: Coding): Promise<Buffer>
}

/** Reads the list of files. No other file is ever opened. */
export async function openStudioFiles(): Promise<StudioFiles> {
  const list = createRequire(import.meta.url).resolve('#studio')
  const files = new Map(Object.entries(JSON.parse(await readFile(list, 'utf8')) as Readonly<Record<string, StudioFile>>))
  return {
    files,
    async read(name, coding) {
      if (!files.has(name)) throw new Problem('not_found', 'The studio has no such file.')
      return readFile(join(dirname(list), coding === 'identity' ? name : `${name}.${coding}`))
    },
  }
}
