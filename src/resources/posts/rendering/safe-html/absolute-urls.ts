import type { Root } from 'hast'
import { parseUrl } from '../../../../values/parse-url.ts'
import { elementsIn } from './html-tree.ts'

const urlAttributes = ['href', 'src', 'poster', 'cite'] as const

/** Makes every URL of a sanitized tree absolute, for readers that do not know the page. */
export function makeUrlsAbsolute(tree: Root, baseUrl: string): void {
  const absolute = (url: string) => parseUrl(url, baseUrl)?.href ?? url
  for (const { properties } of elementsIn(tree)) {
    for (const name of urlAttributes) if (typeof properties[name] === 'string') properties[name] = absolute(properties[name])
    if (typeof properties.srcSet !== 'string') continue
    const candidates = properties.srcSet.split(', ').map((candidate) => candidate.replace(/^\S+/, absolute))
    properties.srcSet = candidates.join(', ')
  }
}
