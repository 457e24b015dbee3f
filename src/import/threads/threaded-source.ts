import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { SourceOptions } from '../exports/open-source.ts'
import { FileFault } from '../exports/read-text.ts'
import { MissingSiteUrl } from '../ghost/missing-site-url.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'

/** What a thread reads. */
export interface ReadingTask {
  readonly path: string
  readonly options: Omit<SourceOptions, 'timezone' | 'onProgress'> & { readonly timezone: string | undefined }
}

/** What the thread says: how far it is while it opens the source, that it is open, and then one group of items for each message that it gets. */
export type ReadingMessage =
  | { readonly kind: 'progress'; readonly items: number }
  | { readonly kind: 'opened'; readonly source: Omit<ImportSource, 'read'> }
  | { readonly kind: 'items'; readonly items: readonly SourceItem[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly message: string; readonly line: number | null }
  | { readonly kind: 'missing site URL' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** V8 collects garbage the earlier the smaller its limit is. */
const heapMb = 256
const youngHeapMb = 16

/**
 * Opens a source in a thread of its own, so that reading and writing use two cores, and the memory for reading has a bound. It reads one group
 * of items ahead. It can be read once. Throws `FileFault` for a file that cannot be read to its end, or `MissingSiteUrl`.
 */
export async function openInThread(path: string, { timezone, onProgress, ...options }: SourceOptions): Promise<ImportSource> {
  const task: ReadingTask = { path, options: { ...options, timezone: timezone?.name } }
  const thread = startThread(task, onProgress)
  const opened = await thread.reply()
  if (opened.kind !== 'opened') throw new Error(`a thread that opens a source says ${opened.kind}`)
  return { ...opened.source, read: () => readGroups(thread) }
}

async function* readGroups(thread: ReadingThread): AsyncGenerator<SourceItem, void, void> {
  try {
    for (thread.ask(); ; ) {
      const reply = await thread.reply()
      if (reply.kind !== 'items') return
      thread.ask()
      yield* reply.items
    }
  } finally {
    await thread.end()
  }
}

interface ReadingThread {
  /** Asks for the next group of items. */
  ask(): void
  /** The next thing that the thread says. Throws what it has failed with. */
  reply(): Promise<ReadingMessage>
  end(): Promise<unknown>
}

function startThread(task: ReadingTask, onProgress: (items: number) => void): ReadingThread {
  const file = createRequire(import.meta.url).resolve('#reading-thread')
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb }
  const worker = new Worker(file, { workerData: task, resourceLimits })
  const replies: (ReadingMessage | Error)[] = []
  let wake = () => {}
  const add = (reply: ReadingMessage | Error) => {
    replies.push(reply)
    wake()
  }
  worker.on('message', (message: ReadingMessage) => (message.kind === 'progress' ? onProgress(message.items) : add(message)))
  worker.once('error', (error) => add(asFault(error)))
  worker.once('exit', () => add(new Error('The thread that reads the source has ended.')))
  return {
    ask: () => worker.postMessage('next'),
    async reply() {
      // A thread that nobody waits for does not keep the program running.
      worker.ref()
      while (replies.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      worker.unref()
      return settled(replies.shift())
    },
    end: () => worker.terminate(),
  }
}

function settled(reply: ReadingMessage | Error | undefined): ReadingMessage {
  if (reply === undefined || reply instanceof Error) throw reply
  if (reply.kind === 'fault') throw new FileFault(reply.message, reply.line)
  if (reply.kind === 'missing site URL') throw new MissingSiteUrl()
  if (reply.kind === 'failed') throw reply.error
  return reply
}

function asFault(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new FileFault(`reading it takes more than ${heapMb} MB of memory`)
  return error
}
