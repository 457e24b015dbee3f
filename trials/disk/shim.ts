import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Why there is no shim here. */
export const withoutShim = 'not tried: it needs Linux and a C compiler (cc), to stand between the program and its files'

/** Compiles `shim.c` into the folder; undefined where there is no Linux or no compiler. */
export function buildShim(folder: string): string | undefined {
  const library = join(folder, 'shim.so')
  const source = resolve(import.meta.dirname, 'shim.c')
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  return process.platform === 'linux' && compiled.status === 0 ? library : undefined
}

/** The environment of a program whose files below `data` are watched. */
export function shimmed(library: string, data: string, files: { readonly control?: string; readonly record?: string }) {
  return {
    LD_PRELOAD: library,
    SHIM_FOLDER: `${data}/`,
    ...(files.control && { SHIM_CONTROL: files.control }),
    ...(files.record && { SHIM_RECORD: files.record }),
  }
}

/** The fields of `shim.c`, eight bytes each. */
const fields = ['operations', 'failAt', 'error', 'forGood', 'failed', 'flushesFailed'] as const

export const errors = { EIO: 5, ENOSPC: 28 } as const

export interface Control {
  readonly path: string
  read(field: (typeof fields)[number]): number
  /** Lets the operation with this distance from now fail, or all from it on. */
  failAfter(distance: number, error: keyof typeof errors, forGood: boolean): void
  heal(): void
  close(): void
}

export function openControl(folder: string): Control {
  const path = join(folder, 'control')
  writeFileSync(path, Buffer.alloc(fields.length * 8))
  const file = openSync(path, 'r+')
  const read: Control['read'] = (field) => {
    const bytes = Buffer.alloc(8)
    readSync(file, bytes, 0, 8, fields.indexOf(field) * 8)
    return Number(bytes.readBigInt64LE())
  }
  const write = (field: (typeof fields)[number], value: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(value))
    writeSync(file, bytes, 0, 8, fields.indexOf(field) * 8)
  }
  return {
    path,
    read,
    failAfter(distance, error, forGood) {
      write('failed', 0)
      write('flushesFailed', 0)
      write('error', errors[error])
      write('forGood', forGood ? 1 : 0)
      write('failAt', read('operations') + distance)
    },
    heal: () => write('failAt', 0),
    close: () => closeSync(file),
  }
}
