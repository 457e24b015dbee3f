// The thread that renders posts. It is an entry of its own in `scripts/build.js`, and the only place where the parsers of Markdown and HTML run.
import { parentPort } from 'node:worker_threads'
import { xmlBytes } from '../../../site/xml-text.ts'
import { createRenderer, type Rendered, renderAsText } from '../render-markdown.ts'
import type { ThreadReply, ThreadTask } from './thread-messages.ts'

/** A statement looks for all of them. */
const maxMediaUrls = 200

const render = createRenderer()
const encoder = new TextEncoder()

parentPort?.on('message', (tasks: readonly ThreadTask[]) => {
  for (const task of tasks) {
    const reply = replyTo(task)
    parentPort?.postMessage(reply, [reply.html.buffer as ArrayBuffer, reply.toc.buffer as ArrayBuffer])
  }
})
parentPort?.postMessage('ready')

/** JSON and XML are made here, so that it takes no time from the event loop. */
function replyTo(task: ThreadTask): ThreadReply {
  const { html, toc, mediaUrls, ...rest } = rendered(task)
  return {
    ...rest,
    html: task.asXml ? xmlBytes(html) : encoder.encode(JSON.stringify(html)),
    toc: encoder.encode(JSON.stringify(toc)),
    mediaUrls: mediaUrls.slice(0, maxMediaUrls),
  }
}

/** Whatever the parsers cannot take is text. */
function rendered({ markdown, baseUrl, asText }: ThreadTask): Rendered & Pick<ThreadReply, 'failure'> {
  if (asText) return renderAsText(markdown)
  try {
    return render(markdown, baseUrl)
  } catch (error) {
    return { ...renderAsText(markdown), failure: String(error) }
  }
}
