import type { Instant } from '../../../values/instant.ts'
import { slugBase } from '../../../values/slug.ts'
import { folderLanguage, folderOf, isIndexFile, nameOf } from '../file-path.ts'
import type { Timezone } from '../post-fields/timezone.ts'
import { type Generator, pathInSite, type Site } from './site-config.ts'

/** What the URL of a post is made of. */
export interface Addressed {
  readonly path: string
  /** The language that its path names. */
  readonly language: string | null
  /** The name of the file or its bundle without its date. */
  readonly name: string
  /** As the post has it, before it is made well-formed. */
  readonly slug: string
  readonly title: string
  readonly date: Instant | null
  readonly categories: readonly string[]
  readonly timezone: Timezone
}

/** Jekyll's names for patterns. */
const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
}
const defaults: Readonly<Record<Generator, string | undefined>> = {
  jekyll: styles.date,
  hexo: ':year/:month/:day/:title/',
  hugo: '/:sections/:slug/',
  zola: '/:sections/:slug/',
  other: undefined,
}
const token = /:([a-z_]+)/g
const months = 'January February March April May June July August September October November December'.split(' ')

/** The path that a site gave a post by its permalink pattern; undefined if it cannot be known. */
export function oldPath(site: Site | undefined, post: Addressed): string | undefined {
  if (!site) return undefined
  const { sections, language } = placeOf(site, post)
  const written = site.permalinks.get(sections[0] ?? '') ?? site.permalinks.get('') ?? defaults[site.generator]
  if (written === undefined) return undefined
  const values: Readonly<Record<string, string | undefined>> = { ...namesIn(site, post, sections), ...datesIn(post) }
  let isKnown = true
  const filled = (styles[written] ?? written).replace(token, (_, name: string) => {
    const value = values[name]
    if (value === undefined) isKnown = false
    return value ?? ''
  })
  return isKnown && !/[{}<>*]/.test(filled) ? `/${language}/${filled}`.replace(/\/{2,}/g, '/') : undefined
}

/** The folders between the content of a site and a post. In Hugo and Zola, translations stand below their language. */
function placeOf(
  site: Site,
  { path, language }: Pick<Addressed, 'path' | 'language'>,
): { readonly sections: readonly string[]; readonly language: string } {
  const within = pathInSite(site, path).replace(/^content\//, '')
  const place = isIndexFile(within) ? folderOf(folderOf(within)) : folderOf(within)
  const folders = place === '' ? [] : place.split('/')
  if (!isFlat(site)) return { sections: folders, language: '' }
  const named = folderLanguage(path)
  const isDefault = language === null || `${site.language ?? 'en'}-`.startsWith(`${language}-`)
  return { sections: folders.filter((part) => part !== named), language: isDefault ? '' : language }
}

function isFlat({ generator }: Site): boolean {
  return generator === 'hugo' || generator === 'zola'
}

function namesIn(site: Site, { path, name, slug, title, categories }: Addressed, sections: readonly string[]) {
  const fileName = isFlat(site) ? slugBase(slug) : slug
  const [collection = ''] = sections
  return {
    title: site.generator === 'hugo' ? slugBase(title) : name,
    slug: fileName,
    slugorfilename: fileName,
    slugorcontentbasename: fileName,
    name,
    filename: name,
    contentbasename: name,
    categories: urlCategories(site, path, categories).join('/'),
    category: slugBase(categories[0] ?? 'uncategorized'),
    section: sections[0] ?? '',
    sections: sections.join('/'),
    collection: collection.replace(/^_/, ''),
    path: [...sections.slice(1), nameOf(path).replace(/\.[^.]+$/, '')].join('/'),
    output_ext: '.html',
  }
}

/** In Jekyll every folder above `_posts` is in the URL, also that of a language. */
function urlCategories(site: Site, path: string, categories: readonly string[]): readonly string[] {
  const [above = '', below] = site.generator === 'jekyll' ? pathInSite(site, path).split(/(?:^|\/)_(?:posts|drafts)\//) : []
  const folders = below === undefined ? [] : above.split('/').filter((folder) => folder !== '')
  const all = [...folders, ...categories]
  return [...new Set(all.map((category) => slugBase(category)))]
}

function datesIn({ date, timezone }: Addressed) {
  if (date === null) return {}
  const moment = Date.parse(date)
  const wall = new Date(moment + timezone.offsetAt(moment))
  const [year = '', month = '', day = ''] = wall.toISOString().slice(0, 10).split('-')
  const time = wall.toISOString().slice(11, 19).split(':')
  const dayOfYear = Math.floor((Date.parse(`${year}-${month}-${day}`) - Date.parse(`${year}-01-01`)) / 86_400_000) + 1
  return {
    year,
    month,
    day,
    short_year: year.slice(2),
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    monthname: (months[Number(month) - 1] ?? '').toLowerCase(),
    y_day: String(dayOfYear).padStart(3, '0'),
    yearday: String(dayOfYear),
    hour: time[0],
    minute: time[1],
    second: time[2],
  }
}
