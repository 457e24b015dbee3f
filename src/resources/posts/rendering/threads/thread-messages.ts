import { xmlBytes } from '../../../site/xml-text.ts'
import type { Rendered } from '../rendered-text.ts'

/** A statement looks for all of them. */
const maxMediaUrls = 200

export interface ThreadTask {
  readonly markdown: string
  /** URLs in the post become absolute, based on this one. */
  readonly baseUrl?: string | undefined
  /** Show the Markdown as it is written. */
  readonly asText?: true | undefined
  /** Write the HTML as text of XML instead of JSON. */
  readonly asXml: boolean
}

/** A rendered post. Replies come in the order of the tasks. */
export interface ThreadReply extends Omit<Rendered, 'html' | 'toc'> {
  /** In UTF-8: a string of JSON, or text of XML. */
  readonly html: Uint8Array
  /** JSON in UTF-8: an array of headings. */
  readonly toc: Uint8Array
}

const encoder = new TextEncoder()

export function toReply(rendered: Rendered, { asXml }: Pick<ThreadTask, 'asXml'>): ThreadReply {
  const { html, toc, mediaUrls, ...rest } = rendered
  return {
    ...rest,
    html: asXml ? xmlBytes(html) : encoder.encode(JSON.stringify(html)),
    toc: encoder.encode(JSON.stringify(toc)),
    mediaUrls: mediaUrls.slice(0, maxMediaUrls),
  }
}
