import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceLimits } from '../source-limits.ts'
import type { TextFault } from '../source-post.ts'

interface SourceFile {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string
  /** With its byte order mark, if it has one. */
  readonly text: string
}

const newline = 0x0a
/** Does not follow a link that has replaced the file since the scan. */
const readWithoutLinks = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/**
 * Reads a file, which must be UTF-8 without NUL and not too large. It blocks, as a command may: reading thousands of small files
 * asynchronously cost a fifth of a whole import.
 */
export function readSourceFile(folder: string, path: string, maxBytes: number = sourceLimits.fileBytes): SourceFile | TextFault {
  try {
    const bytes = readBytes(join(folder, path), maxBytes)
    if (bytes === undefined) return { fault: `the file is larger than ${maxBytes} bytes`, line: null }
    const text = decodeText(bytes)
    return typeof text === 'string' ? { hash: createHash('sha256').update(bytes).digest('hex'), text } : text
  } catch (error) {
    if (!isFileError(error)) throw error
    return { fault: `the file cannot be read (${error.code})`, line: null }
  }
}

function decodeText(bytes: Uint8Array): string | TextFault {
  if (!isUtf8(bytes)) return { fault: 'the text is not valid UTF-8', line: firstBrokenLine(bytes) }
  const nul = bytes.indexOf(0)
  if (nul >= 0) return { fault: 'the text holds a NUL character', line: newlinesIn(bytes.subarray(0, nul)) + 1 }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Whether an error comes from the file system and is no bug. */
export function isFileError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

function readBytes(path: string, maxBytes: number): Uint8Array | undefined {
  const file = openSync(path, readWithoutLinks)
  try {
    return fstatSync(file).size <= maxBytes ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}

/** Lines can be checked one by one: no UTF-8 sequence contains the byte of a newline. */
function firstBrokenLine(bytes: Uint8Array): number {
  let line = 1
  let start = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    if (!isUtf8(bytes.subarray(start, end))) return line
    line += 1
    start = end + 1
  }
  return line
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
