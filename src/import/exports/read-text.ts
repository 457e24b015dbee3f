import { createReadStream } from 'node:fs'

/** A file that is not what it should be, with the place where that shows. */
export class FileFault extends Error {
  /** Counted from 1; null if it is no matter of one line. */
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

const chunkBytes = 256 * 1024

/** The text of a UTF-8 file, part by part. Throws `FileFault` where bytes are not UTF-8. */
export async function* readText(path: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    const text = decode(decoder, chunk, line)
    line += countLines(text)
    yield text
  }
  decode(decoder, undefined, line)
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined, line: number): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    if (chunk === undefined) throw new FileFault('the file ends within a character: it is not whole', line)
    const readable = new TextDecoder('utf-8').decode(chunk)
    const good = readable.slice(0, Math.max(readable.indexOf('\ufffd'), 0))
    throw new FileFault('a byte is not UTF-8; convert the file to UTF-8 first', line + countLines(good))
  }
}

export function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
