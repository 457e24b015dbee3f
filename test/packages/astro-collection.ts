import { createHash } from 'node:crypto'
import type { ContentLoader, LoaderContext, StoredEntry } from '../../packages/astro/src/astro-types.ts'

/** A content collection as Astro keeps it from build to build. */
export interface Collection {
  readonly entries: Map<string, StoredEntry>
  /** What the loader has said. */
  readonly said: string[]
  /** The Markdown that was rendered. */
  readonly rendered: string[]
  /** What a build does first. */
  load(): Promise<void>
}

export function collectionOf(
  loader: ContentLoader,
  render: (markdown: string) => string = (markdown) => `<p>${markdown}</p>`,
  meta = new Map<string, string>(),
): Collection {
  const entries = new Map<string, StoredEntry>()
  const said: string[] = []
  const rendered: string[] = []
  const context: LoaderContext = {
    store: {
      get: (key) => entries.get(key),
      set: (entry) => Boolean(entries.set(entry.id, entry)),
      values: () => [...entries.values()],
      delete: (key) => void entries.delete(key),
    },
    meta: { get: (key) => meta.get(key), set: (key, value) => void meta.set(key, value) },
    logger: { info: (line) => void said.push(line), warn: (line) => void said.push(`warning: ${line}`) },
    parseData: async ({ data }) => data,
    generateDigest: (data) => createHash('sha256').update(JSON.stringify(data)).digest('hex'),
    renderMarkdown: async (markdown) => {
      rendered.push(markdown)
      return { html: render(markdown), metadata: { headings: [], imagePaths: ['a.png'] } }
    },
  }
  return { entries, said, rendered, load: () => loader.load(context) }
}
