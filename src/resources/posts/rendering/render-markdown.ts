import type { Root } from 'hast'
import { createMarkdownParser } from './markdown-parser.ts'
import { lengthOf, type Rendered, renderAsText } from './rendered-text.ts'
import { tocOf } from './safe-html/anchors.ts'
import { elementsIn, textOf } from './safe-html/html-tree.ts'
import { toSafeHtml, UnusableHtml } from './safe-html/safe-html.ts'

/** HTML of more characters than this is shown as text: some Markdown grows when it is rendered. */
const maxHtmlLength = 4 * 1024 * 1024

/**
 * Renders Markdown. Never throws for what is in it: HTML that nobody could read is shown as text. URLs become absolute if there is a base for
 * them.
 */
export function createRenderer(): (markdown: string, baseUrl?: string) => Rendered {
  const parse = createMarkdownParser()
  return (markdown, baseUrl) => {
    try {
      const parsed = parse(markdown)
      if (parsed.html.length > maxHtmlLength) throw new UnusableHtml('The HTML is too long.')
      const { html, tree } = toSafeHtml(parsed.html, { isWellFormed: !parsed.hasRawHtml, baseUrl })
      return { html, toc: tocOf(tree), ...lengthOf(textOf(tree)), mediaUrls: mediaUrlsIn(tree) }
    } catch (error) {
      if (error instanceof UnusableHtml) return { ...renderAsText(markdown), failure: error.message }
      throw error
    }
  }
}

function mediaUrlsIn(tree: Root): readonly string[] {
  const urls = elementsIn(tree).flatMap(({ tagName, properties }) => {
    if (!['img', 'source', 'video', 'audio'].includes(tagName)) return []
    const candidates = String(properties.srcSet ?? '')
      .split(', ')
      .map((candidate) => candidate.split(' ', 1)[0] ?? '')
    return [String(properties.src ?? ''), String(properties.poster ?? ''), ...candidates]
  })
  return [...new Set(urls)].filter((url) => url !== '')
}
