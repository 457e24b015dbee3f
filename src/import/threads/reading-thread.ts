// The thread that reads a source of an import. It is an entry of its own in `scripts/build.js`, and the only place where exports are parsed and HTML becomes Markdown.
import { parentPort, workerData } from 'node:worker_threads'
import { openSource } from '../exports/open-source.ts'
import { FileFault } from '../exports/read-text.ts'
import { MissingSiteUrl } from '../ghost/missing-site-url.ts'
import { findTimezone } from '../markdown/post-fields/timezone.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import type { ReadingMessage, ReadingTask } from './threaded-source.ts'

/** Few enough that two groups fit into the memory of both threads, and many enough that messages cost little. */
const maxGroupItems = 50
/** UTF-16 units of content. */
const maxGroupLength = 512 * 1024

const task: ReadingTask = workerData
const send = (message: ReadingMessage) => parentPort?.postMessage(message)

try {
  const timezone = task.options.timezone === undefined ? undefined : findTimezone(task.options.timezone)
  const source = await openSource(task.path, { ...task.options, timezone, onProgress: (items) => send({ kind: 'progress', items }) })
  const groups = groupsOf(source)
  const { kind, isWhole, others, total } = source
  send({ kind: 'opened', source: { kind, isWhole, others, total } })
  parentPort?.on('message', () => void sendNext(groups))
} catch (error) {
  sendFailure(error)
}

async function sendNext(groups: AsyncGenerator<readonly SourceItem[], void, void>): Promise<void> {
  try {
    const { value: items } = await groups.next()
    send(items ? { kind: 'items', items } : { kind: 'end' })
  } catch (error) {
    sendFailure(error)
  }
}

async function* groupsOf(source: ImportSource): AsyncGenerator<readonly SourceItem[], void, void> {
  let items: SourceItem[] = []
  let length = 0
  for await (const item of source.read()) {
    items.push(item)
    if (item.kind === 'post') length += item.content.length
    if (items.length < maxGroupItems && length < maxGroupLength) continue
    yield items
    items = []
    length = 0
  }
  if (items.length > 0) yield items
}

/** An error loses its class on its way to another thread. */
function sendFailure(error: unknown): void {
  if (error instanceof FileFault) send({ kind: 'fault', message: error.message, line: error.line })
  else if (error instanceof MissingSiteUrl) send({ kind: 'missing site URL' })
  else send({ kind: 'failed', error })
}
