import { readFileSync } from 'node:fs'
import type { SeededRandom } from '../harness/seeded-random.ts'

type Kind = 'write' | 'truncate' | 'unlink' | 'sync begins' | 'sync ends'
const kinds: readonly Kind[] = ['write', 'truncate', 'unlink', 'sync begins', 'sync ends']

/** What a program did to a file, in order. */
export interface DiskOperation {
  readonly kind: Kind
  readonly fd: number
  readonly path: string
  readonly offset: number
  /** Of a write; the new size of a truncation. */
  readonly length: number
  readonly data: Buffer
  /** Where its record ends in the file of records. */
  readonly end: number
}

const headBytes = 32

/** Reads what `shim.c` recorded. A record that was not completed is left out. */
export function readOperations(path: string): readonly DiskOperation[] {
  const bytes = readFileSync(path)
  const operations: DiskOperation[] = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const [pathLength, dataLength] = [bytes.readInt32LE(at + 24), bytes.readInt32LE(at + 28)]
    const end = at + headBytes + pathLength + dataLength
    if (end > bytes.length) break
    operations.push({
      kind: kinds[bytes.readInt32LE(at) - 1] ?? 'write',
      fd: bytes.readInt32LE(at + 4),
      path: bytes.toString('utf8', at + headBytes, at + headBytes + pathLength),
      offset: Number(bytes.readBigInt64LE(at + 8)),
      length: Number(bytes.readBigInt64LE(at + 16)),
      data: bytes.subarray(at + headBytes + pathLength, end),
      end,
    })
    at = end
  }
  return operations
}

/** A disk writes sectors whole. */
const sector = 512

interface OneFile {
  /** What a flush has made certain. */
  readonly certain: FileBytes
  /** What came after it: each may be on the disk, in part, or not. */
  pending: DiskOperation[]
  /** How many of them each flush under way covers, by descriptor. */
  readonly flushing: Map<number, number>
}

/** The files as a power cut may leave them: what was flushed is certain, and of the rest any part. */
export class DiskImage {
  readonly #files = new Map<string, OneFile>()
  readonly #ignoresFlush: (operation: DiskOperation) => boolean

  constructor(base: ReadonlyMap<string, Buffer>, ignoresFlush: (operation: DiskOperation) => boolean = () => false) {
    for (const [path, bytes] of base) this.#files.set(path, { certain: new FileBytes(bytes), pending: [], flushing: new Map() })
    this.#ignoresFlush = ignoresFlush
  }

  apply(operation: DiskOperation): void {
    const { kind, path, fd } = operation
    const file: OneFile = this.#files.get(path) ?? { certain: new FileBytes(Buffer.alloc(0)), pending: [], flushing: new Map() }
    this.#files.set(path, file)
    if (kind === 'sync begins') file.flushing.set(fd, file.pending.length)
    else if (kind !== 'sync ends') file.pending.push(operation)
    else if (!this.#ignoresFlush(operation)) {
      const covered = file.flushing.get(fd) ?? 0
      for (const each of file.pending.splice(0, covered)) file.certain.apply(each)
      for (const [other, count] of file.flushing) file.flushing.set(other, Math.max(0, count - covered))
    }
  }

  /** One of the states that a power cut may leave now. */
  afterPowerCut(random: SeededRandom): ReadonlyMap<string, Buffer> {
    const files = new Map<string, Buffer>()
    for (const [path, { certain, pending }] of this.#files) {
      const share = random.pick([0, 0.5, 0.9, 1])
      const bytes = new FileBytes(certain.read())
      for (const each of pending) if (random.fraction() < share) bytes.apply(random.fraction() < 0.1 ? torn(each, random) : each)
      files.set(path, bytes.read())
    }
    return files
  }
}

/** Only the first sectors of a write. */
function torn(operation: DiskOperation, random: SeededRandom): DiskOperation {
  if (operation.kind !== 'write') return operation
  const data = operation.data.subarray(0, sector * random.int(Math.ceil(operation.length / sector)))
  return { ...operation, data, length: data.length }
}

/** The bytes of a file. Their room doubles when they outgrow it. */
class FileBytes {
  #room: Buffer
  #size: number

  constructor(bytes: Buffer) {
    this.#room = Buffer.from(bytes)
    this.#size = bytes.length
  }

  read(): Buffer {
    return this.#room.subarray(0, this.#size)
  }

  apply({ kind, offset, length, data }: DiskOperation): void {
    if (kind === 'write') {
      this.#resize(Math.max(this.#size, offset + data.length))
      data.copy(this.#room, offset)
    } else this.#resize(kind === 'truncate' ? length : 0)
  }

  #resize(size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.alloc(size * 2)
      this.read().copy(room)
      this.#room = room
    } else if (size > this.#size) this.#room.fill(0, this.#size, size)
    this.#size = size
  }
}
