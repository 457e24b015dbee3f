import { type FieldMap, type FieldValue, isFieldList, isFieldMap, noFields } from '../../front-matter/field-value.ts'
import { booleanOf, findField, textOf } from '../../front-matter/find-field.ts'
import { parseText } from '../../front-matter/parse-front-matter.ts'
import { isTextFault } from '../../source-post.ts'
import { extensionOf, folderOf, nameOf } from '../file-path.ts'
import { findTimezone, type Timezone } from '../post-fields/timezone.ts'
import { readSourceFile } from '../read-file.ts'
import { isInScope } from './path-scope.ts'

export type Generator = 'jekyll' | 'hexo' | 'hugo' | 'zola' | 'other'

/** Fields for the files that a pattern of paths names. */
export interface ScopedFields {
  readonly scope: string
  readonly fields: FieldMap
}

/** A site below the imported folder, and what its configuration says. */
export interface Site {
  /** Its folder; empty for the imported folder itself. */
  readonly root: string
  readonly generator: Generator
  readonly timezone: Timezone | undefined
  /** The patterns of URL paths: that of every post, or by section. Those of Jekyll's collections by their folders. */
  readonly permalinks: ReadonlyMap<string, string>
  /** Jekyll's collections besides posts, and whether their pages are public. */
  readonly collections: ReadonlyMap<string, boolean>
  /** Fields of terms besides tags and categories. */
  readonly taxonomies: readonly string[]
  readonly language: string | null
  /** Jekyll's defaults and Hugo's cascade for posts, by the pattern of paths that they are for. The last that fits counts. */
  readonly defaults: readonly ScopedFields[]
}

const marker =
  /^(?:_config\.ya?ml|(?:hugo|config)\.(?:toml|ya?ml|json)|(?:docusaurus|gatsby|astro|eleventy|next)[.-]config\.\w+|mkdocs\.yml|pelicanconf\.py)$/
const formats = { yml: 'yaml', yaml: 'yaml', toml: 'toml', json: 'json' } as const
const everyPost = ''

/** Whether a file name says that its folder is a site's root. `config.toml` does beside a folder `content` alone. */
export function isSiteMarker(name: string, names: readonly string[]): boolean {
  return marker.test(name) && (!name.startsWith('config.') || names.includes('content'))
}

/** The sites among these files, the deepest first. */
export function readSites(folder: string, files: readonly string[]): readonly Site[] {
  const roots = new Map<string, string[]>()
  for (const path of files) {
    const [, root = '', name] = /^(.*?)\/?config\/_default\/((?:hugo|config)\.\w+)$/.exec(path) ?? []
    const place = name === undefined ? folderOf(path) : root
    // Only few names need a look at all files.
    const isMarker = name !== undefined || (marker.test(nameOf(path)) && isSiteMarker(nameOf(path), namesIn(files, place)))
    if (isMarker) roots.set(place, [...(roots.get(place) ?? []), path])
  }
  const sites = [...roots].map(([root, configs]) => siteFrom(root, readConfigs(folder, configs), files))
  return sites.sort((a, b) => b.root.length - a.root.length)
}

/** The site that a file belongs to. */
export function siteOf(sites: readonly Site[], path: string): Site | undefined {
  return sites.find(({ root }) => root === '' || path.startsWith(`${root}/`))
}

/** The part of a path below the root of its site. */
export function pathInSite(site: Site | undefined, path: string): string {
  return site && site.root !== '' ? path.slice(site.root.length + 1) : path
}

function namesIn(files: readonly string[], folder: string): readonly string[] {
  return files.some((path) => path.startsWith(folder === '' ? 'content/' : `${folder}/content/`)) ? ['content'] : []
}

/** The fields of all configuration files of a site. Those that cannot be read say nothing. */
function readConfigs(folder: string, paths: readonly string[]): FieldMap {
  const fields = new Map<string, FieldValue>()
  for (const path of paths) {
    const extension = extensionOf(path)
    const file = extension in formats ? readSourceFile(folder, path) : undefined
    if (!file || isTextFault(file)) continue
    const parsed = parseText(formats[extension as keyof typeof formats], file.text.replace(/^\uFEFF/, ''), 1)
    if (!isTextFault(parsed) && isFieldMap(parsed.value)) for (const [name, value] of parsed.value) fields.set(name, value)
  }
  return fields
}

function siteFrom(root: string, config: FieldMap, files: readonly string[]): Site {
  const generator = generatorOf(root, config, files)
  return {
    root,
    generator,
    timezone: findTimezone(textOf(config, ['timezone']) ?? ''),
    permalinks: new Map([...permalinksIn(config), ...(generator === 'jekyll' ? collectionPermalinks(config) : [])]),
    collections: generator === 'jekyll' ? collectionsIn(config) : new Map(),
    taxonomies: taxonomiesIn(findField(config, ['taxonomies'])?.value),
    language: textOf(config, ['defaultContentLanguage', 'default_language', 'default_lang', 'languageCode', 'language', 'lang']),
    defaults:
      generator === 'jekyll' ? defaultsIn(findField(config, ['defaults'])?.value) : cascadesIn(findField(config, ['cascade'])?.value),
  }
}

/** `defaults: [{scope: {path, type}, values}]`. Those for pages say nothing of posts. */
function defaultsIn(value: FieldValue | undefined): Site['defaults'] {
  const all = isFieldList(value) ? value.filter(isFieldMap) : []
  return all.flatMap((each) => {
    const [scope, fields] = [each.get('scope'), each.get('values')]
    const type = isFieldMap(scope) ? textOf(scope, ['type']) : null
    if (!isFieldMap(fields) || type === 'pages') return []
    return { scope: (isFieldMap(scope) ? textOf(scope, ['path']) : null) ?? '', fields }
  })
}

/** `cascade: {…}` or a list of them, each perhaps with a `target` that has a path below `content`, such as `/secret/**`. */
export function cascadesIn(value: FieldValue | undefined): readonly ScopedFields[] {
  const all = isFieldList(value) ? value.filter(isFieldMap) : isFieldMap(value) ? [value] : []
  return all.flatMap((each) => {
    const target = each.get('target') ?? each.get('_target')
    const path = isFieldMap(target) ? textOf(target, ['path']) : null
    const params = each.get('params')
    const fields = new Map(
      [...each, ...(isFieldMap(params) ? params : [])].filter(([name]) => !['target', '_target', 'params'].includes(name)),
    )
    const paths = (/^\{([^{}]*)\}$/.exec(path ?? '')?.[1] ?? path ?? '').split(',')
    return paths.map((one) => ({ scope: path === null ? '' : `content/${one.trim().replace(/^\//, '')}`, fields }))
  })
}

/** The fields for a file of those whose scope it is in. Hugo's scopes name no extensions. */
export function fieldsInScope(all: readonly ScopedFields[], path: string): FieldMap {
  const bare = path.replace(/\.[^./]+$/, '')
  return new Map(all.filter(({ scope }) => isInScope(path, scope) || isInScope(bare, scope)).flatMap(({ fields }) => [...fields]))
}

/** What the configuration says of a post that does not say it itself. */
export function siteDefaults(site: Site | undefined, path: string): FieldMap {
  return fieldsInScope(site?.defaults ?? [], pathInSite(site, path))
}

function generatorOf(root: string, config: FieldMap, files: readonly string[]): Generator {
  const below = root === '' ? '' : `${root}/`
  const has = (start: string) => files.some((path) => path.startsWith(below + start))
  if (['_config.yml', '_config.yaml'].some((name) => files.includes(below + name))) {
    const isHexo = has('source/_posts/') || ['source_dir', 'new_post_name', 'public_dir'].some((name) => config.has(name))
    return isHexo ? 'hexo' : 'jekyll'
  }
  const isPlain = has('hugo.') || has('config.') || has('config/_default/')
  if (!isPlain || !has('content/')) return 'other'
  return config.has('base_url') ? 'zola' : 'hugo'
}

/** `permalink: pattern`, or Hugo's patterns by section, which may stand below `page`. */
function permalinksIn(config: FieldMap): ReadonlyMap<string, string> {
  const single = textOf(config, ['permalink'])
  if (single !== null) return new Map([[everyPost, single]])
  const sections = findField(config, ['permalinks'])?.value
  if (!isFieldMap(sections)) return new Map()
  const pages = sections.get('page')
  const patterns = isFieldMap(pages) ? [...sections, ...pages] : [...sections]
  return new Map(patterns.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])))
}

/** The patterns of Jekyll's collections besides posts, by their folders. */
function collectionPermalinks(config: FieldMap): readonly (readonly [string, string])[] {
  const value = findField(config, ['collections'])?.value
  if (!isFieldMap(value)) return []
  return [...value]
    .filter(([name]) => name !== 'posts')
    .map(([name, settings]) => [
      `_${name}`,
      (isFieldMap(settings) ? textOf(settings, ['permalink']) : null) ?? '/:collection/:path:output_ext',
    ])
}

/** `collections: {name: {output: true}}`, or a list of names without pages. */
function collectionsIn(config: FieldMap): ReadonlyMap<string, boolean> {
  const value = findField(config, ['collections'])?.value
  if (isFieldList(value)) return new Map(value.flatMap((name) => (typeof name === 'string' ? [[name, false] as const] : [])))
  if (!isFieldMap(value)) return new Map()
  return new Map([...value].map(([name, settings]) => [name, isFieldMap(settings) && booleanOf(settings.get('output')) === true]))
}

/** Hugo's `{singular: plural}` or Zola's `[{name}]`. */
function taxonomiesIn(value: FieldValue | undefined): readonly string[] {
  const named = isFieldList(value) ? value.map((each) => (isFieldMap(each) ? (each.get('name') ?? noFields) : each)) : []
  const all = isFieldMap(value) ? [...value.values()] : named
  const known = new Set(['tags', 'tag', 'categories', 'category', 'authors', 'author'])
  return all.filter((name) => typeof name === 'string').filter((name) => !known.has(name))
}
