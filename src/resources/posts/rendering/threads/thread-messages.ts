import type { Rendered } from '../render-markdown.ts'

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
  /** Why it is shown as text. */
  readonly failure?: string
}
