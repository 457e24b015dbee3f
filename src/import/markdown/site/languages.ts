import { fileLanguage, folderLanguage } from '../file-path.ts'
import { type Site, siteOf } from './site-config.ts'

/** The languages of the files of a blog. */
export interface Languages {
  /** The language that the path of a file names. */
  of(path: string): string | null
  /** Whether its language is another than that of its site: then its slug gets the language as a suffix. */
  isTranslation(path: string): boolean
}

/** Finds out which files are translations, and into what: by their folders (`content/ja/`, `i18n/zh/`) or names (`post.fr.md`, `index.fr.md`). */
export function languagesOf(candidates: readonly string[], sites: readonly Site[]): Languages {
  const stems = new Map<string, number>()
  for (const path of candidates) {
    const { stem } = fileLanguage(path)
    stems.set(stem, (stems.get(stem) ?? 0) + 1)
  }
  const of = (path: string) => {
    const { stem, language, isIndex } = fileLanguage(path)
    // A name such as `node.js.md` says a language only where there is another version of the file.
    const isVersion = language !== null && (isIndex || (stems.get(stem) ?? 0) > 1)
    return isVersion ? language : folderLanguage(path)
  }
  const defaults = new Map<Site | undefined, string | null>()
  const isTranslation = (path: string) => {
    const language = of(path)
    if (language === null) return false
    const site = siteOf(sites, path)
    if (!defaults.has(site)) {
      const own = candidates.filter((each) => siteOf(sites, each) === site).map(of)
      defaults.set(site, defaultLanguage(site?.language ?? null, own))
    }
    return language.toLowerCase() !== defaults.get(site)?.toLowerCase()
  }
  return { of, isTranslation }
}

/** The configured language, if posts have it. Else that of posts without one, else English, else the most frequent. */
function defaultLanguage(configured: string | null, used: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>()
  for (const language of used) counts.set(language, (counts.get(language) ?? 0) + 1)
  const fitting = [configured, configured?.split('-')[0] ?? null].find((language) => language !== null && counts.has(language))
  if (fitting !== undefined) return fitting
  if (counts.has(null)) return null
  if (counts.has('en')) return 'en'
  return [...counts].sort(([a, m], [b, n]) => n - m || ((a ?? '') < (b ?? '') ? -1 : 1))[0]?.[0] ?? null
}
