import { type Post, Problem, type Verso } from '@verso/client'
import type { LoaderContext, RenderedContent } from './astro-types.ts'

/** Renders with the Markdown of the site. What it cannot render is shown as it is written, so that one post fails no build. */
export async function renderMarkdown({ slug, content }: Post, { renderMarkdown: render, logger }: LoaderContext): Promise<RenderedContent> {
  try {
    const { html, metadata } = await render(asBody(content))
    return { html: withPlainImages(html), metadata: { ...metadata, imagePaths: [] } }
  } catch (error) {
    logger.warn(`The Markdown of the post ${slug} cannot be rendered: ${error instanceof Error ? error.message : error}`)
    return { html: `<pre>${escapeHtml(content)}</pre>` }
  }
}

/** Fewer posts are read one by one. */
const mostSingleReads = 5

type Rendered = Pick<Post, 'id' | 'contentHtml' | 'toc'>

/** The HTML that Verso makes, for some posts: theirs alone, or if there are many, that of the whole list. */
export async function htmlOf(verso: Verso, posts: readonly Post[]): Promise<(post: Post) => Promise<RenderedContent>> {
  const found = new Map<string, Rendered>()
  if (posts.length <= mostSingleReads) for (const { id } of posts) await readOne(verso, id, found)
  else for await (const post of verso.posts.all({ include: ['html', 'toc'], fields: 'id' })) found.set(post.id, post)
  return async ({ id, content }) => {
    const { contentHtml = `<pre>${escapeHtml(content)}</pre>`, toc = [] } = found.get(id) ?? {}
    return {
      html: contentHtml,
      metadata: { headings: toc.map((heading) => ({ depth: heading.level, slug: heading.id, text: heading.text })) },
    }
  }
}

/** A post that has gone meanwhile is told of by the next build. */
async function readOne(verso: Verso, id: string, found: Map<string, Rendered>): Promise<void> {
  try {
    found.set(id, await verso.posts.get(id, { include: ['html', 'toc'] }))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
  }
}

/** Astro takes what looks like front matter out of Markdown. The content of a post has none: this is a rule, or text. */
function asBody(content: string): string {
  const body = content.replace(/\]\(([^()\s]*)/g, (link, target: string) =>
    isReadable(target) ? link : `](${target.replaceAll('%', '%25')}`,
  )
  return /^\s*(?:---|\+\+\+)/.test(body) ? `<!---->\n\n${body}` : body
}

/** Astro reads the address of every picture as a URL, and ends at `100%.png`. */
function isReadable(target: string): boolean {
  try {
    return decodeURI(target) !== undefined
  } catch {
    return false
  }
}

/** Astro looks for pictures with relative paths beside the file of an entry. A post is no file, so its pictures stay what they are. */
function withPlainImages(html: string): string {
  return html.replace(/__ASTRO_IMAGE_="([^"]*)"/g, (_, json: string) => {
    const { index: _index, inferSize: _size, ...attributes }: Readonly<Record<string, unknown>> = JSON.parse(unescapeHtml(json))
    return Object.entries(attributes)
      .filter(([, value]) => ['string', 'number'].includes(typeof value))
      .map(([name, value]) => `${name}="${escapeHtml(String(value))}"`)
      .join(' ')
  })
}

const signs: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#x22;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:quot|lt|gt|#34|#39|#x22|#x27);/g, (sign) => signs[sign] ?? sign).replaceAll(/&(?:amp|#38|#x26);/g, '&')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
