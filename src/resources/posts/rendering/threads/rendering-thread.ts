// The thread that renders posts. It is an entry of its own in `scripts/build.js`, and the only place where the parsers of Markdown and HTML run.
import { parentPort } from 'node:worker_threads'
import { createRenderer } from '../render-markdown.ts'
import { type Rendered, renderAsText } from '../rendered-text.ts'
import { type ThreadTask, toReply } from './thread-messages.ts'

const render = createRenderer()

parentPort?.on('message', (tasks: readonly ThreadTask[]) => {
  for (const task of tasks) {
    // JSON and XML are made here, so that it takes no time from the event loop.
    const reply = toReply(rendered(task), task)
    parentPort?.postMessage(reply, [reply.html.buffer as ArrayBuffer, reply.toc.buffer as ArrayBuffer])
  }
})
parentPort?.postMessage('ready')

/** Whatever the parsers cannot take is text. */
function rendered({ markdown, baseUrl, asText }: ThreadTask): Rendered {
  if (asText) return renderAsText(markdown)
  try {
    return render(markdown, baseUrl)
  } catch (error) {
    return { ...renderAsText(markdown), failure: String(error) }
  }
}
