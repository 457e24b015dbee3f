/** What a host reads redirects from. */
export const hostFormats = ['netlify', 'vercel', 'nginx', 'astro'] as const
export type HostFormat = (typeof hostFormats)[number]

/** A redirect from one path of a site to another, both escaped as in URLs. */
export interface PathRedirect {
  readonly from: string
  readonly to: string
}

/** A redirect that a host cannot be told, and why. */
export interface Untold extends PathRedirect {
  readonly reason: string
}

export interface HostFile {
  readonly text: string
  readonly untold: readonly Untold[]
}

/** One redirect in the format of a host, or the reason why that cannot be. */
type Written = { readonly rule: string } | { readonly reason: string }

interface Parts extends PathRedirect {
  /** No other redirect is from the same path in other case. */
  readonly isAlone: boolean
  /** Escaped as in URLs. */
  readonly path: string
  /** Without the question mark; none if there is none. */
  readonly query: string | undefined
}

interface Writer {
  /** Whether the host takes `/a` and `/a/` for the same path. */
  readonly joinsSlashes: boolean
  readonly most?: { readonly rules: number; readonly reason: string }
  write(redirect: Parts): Written
  file(rules: readonly string[]): string
}

/** Writes redirects as the file that a host reads, in their order. */
export function hostFile(format: HostFormat, redirects: readonly PathRedirect[]): HostFile {
  const { joinsSlashes, most, write, file } = writers[format]
  const rules: string[] = []
  const untold: Untold[] = []
  const told = new Set<string>()
  for (const parts of toParts(redirects)) {
    const { path, query, from, to } = parts
    const place = `${joinsSlashes ? withoutSlash(path) : path}?${query ?? ''}`
    const repeats = told.has(place) ? { reason: 'another redirect has the same path but for a slash at its end' } : undefined
    const full = most !== undefined && rules.length >= most.rules ? { reason: most.reason } : undefined
    const written = refusal(parts, joinsSlashes) ?? repeats ?? full ?? write(parts)
    if ('reason' in written) untold.push({ from, to, reason: written.reason })
    else {
      told.add(place)
      rules.push(written.rule)
    }
  }
  return { text: file(rules), untold }
}

/** What no host can be told. */
function refusal({ path, query, to }: Parts, joinsSlashes: boolean): { readonly reason: string } | undefined {
  if (path.split('/').some((part) => part === '.' || part === '..' || /^(?:\.|%2e){1,2}$/i.test(part)))
    return { reason: 'browsers never ask for a path with . or .. in it' }
  const isItself = withoutSlash(path) === withoutSlash(cut(to)[0])
  if (isItself && (query !== undefined || joinsSlashes)) return { reason: 'it would lead to itself, again and again' }
  return undefined
}

function toParts(redirects: readonly PathRedirect[]): readonly Parts[] {
  const times = new Map<string, number>()
  for (const { from } of redirects) times.set(from.toLowerCase(), (times.get(from.toLowerCase()) ?? 0) + 1)
  return redirects.map(({ from, to }) => {
    const [path, query] = cut(from)
    return { from, to, path, query, isAlone: times.get(from.toLowerCase()) === 1 }
  })
}

/** The path and the query of a redirect. */
function cut(from: string): readonly [path: string, query: string | undefined] {
  const mark = from.indexOf('?')
  return mark < 0 ? [from, undefined] : [from.slice(0, mark), from.slice(mark + 1)]
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The parameters of a query, decoded; undefined if it is not made of names with values. */
function parametersOf(query: string): readonly (readonly [name: string, value: string])[] | undefined {
  const pairs = [...new URLSearchParams(query)]
  return pairs.length > 0 && pairs.every(([name]) => name !== '') ? pairs : undefined
}

/** https://docs.netlify.com/manage/routing/redirects/overview: paths are escaped; `*` and `:name` are patterns and cannot be escaped. */
const netlify: Writer = {
  joinsSlashes: true,
  write({ path, query, to }) {
    if (path.includes('*') || /\/:/.test(path)) return { reason: '* and : are patterns to Netlify' }
    const parameters = query === undefined ? [] : parametersOf(query)
    const isPlain = ([name, value]: readonly [string, string]) => /^[\w.~-]+$/.test(name) && /^[\w.~-]+$/.test(value)
    if (!parameters?.every(isPlain)) return { reason: 'Netlify matches queries of plain names and values only' }
    return { rule: [path, ...parameters.map(([name, value]) => `${name}=${value}`), to, '301'].join(' ') }
  },
  file: (rules) => rules.map((rule) => `${rule}\n`).join(''),
}

/** https://vercel.com/docs/project-configuration#redirects: `source` is a pattern of path-to-regexp, the value of a query an expression. */
const vercel: Writer = {
  joinsSlashes: false,
  most: { rules: 2_048, reason: 'Vercel takes 2,048 redirects' },
  write({ path, query, to }) {
    const parameters = query === undefined ? [] : parametersOf(query)
    if (!parameters) return { reason: 'Vercel matches queries by names and values only' }
    const has = parameters.map(([key, value]) => ({ type: 'query', key, value: escapedExpression(value) }))
    const rule = { source: escapedPattern(path), ...(has.length > 0 && { has }), destination: escapedPattern(to), statusCode: 301 }
    return { rule: JSON.stringify(rule) }
  },
  file: (rules) => `{\n  "redirects": [${rules.map((rule) => `\n    ${rule}`).join(',')}\n  ]\n}\n`,
}

/**
 * https://nginx.org/en/docs/http/ngx_http_map_module.html: plain keys are compared without case, so each path that could be mistaken for another,
 * such as the page of a post, is an expression. Without a query the decoded path is compared, in which nginx has merged slashes; otherwise what
 * the client sent.
 */
const nginx: Writer = {
  joinsSlashes: false,
  write({ path, query, from, to, isAlone }) {
    const isSent = query !== undefined || path.includes('//')
    const key = isSent ? from : decodedPath(path)
    if (key === undefined || /\p{Cc}/u.test(key)) return { reason: 'the path has bytes that are no text' }
    // The path of every post has the capitals of the permalink.
    const isPlain = isAlone && !hasCapitals(key) && !hasCapitals(decodedPath(to) ?? to)
    const name = isPlain ? key : `~^${escapedExpression(key)}$`
    const rule = `  ${quoted(name)} ${quoted(to.replaceAll('$', '%24'))};`
    return { rule: `${isSent ? 'query' : 'path'}${rule}` }
  },
  file(rules) {
    const of = (kind: string) => rules.filter((rule) => rule.startsWith(kind)).map((rule) => rule.slice(kind.length))
    const longest = Math.max(0, ...rules.map((rule) => Buffer.byteLength(rule)))
    return [
      '# Include this file in the block `http`, and in the block `server` of the site:',
      '#   if ($verso_redirect) { return 301 $verso_redirect; }',
      ...(longest > 60 ? [`map_hash_bucket_size ${2 ** Math.ceil(Math.log2(longest + 32))};`] : []),
      'map $uri $verso_path_redirect {',
      '  default "";',
      ...of('path'),
      '}',
      'map $request_uri $verso_redirect {',
      '  default $verso_path_redirect;',
      ...of('query'),
      '}',
      '',
    ].join('\n')
  },
}

/** https://docs.astro.build/en/reference/configuration-reference/#redirects: keys are routes, in which brackets are parameters. */
const astro: Writer = {
  joinsSlashes: true,
  write({ path, query, to }) {
    if (query !== undefined) return { reason: 'Astro cannot match a query' }
    const route = decodedPath(path)
    if (route === undefined || /[[\]\p{Cc}]|%/u.test(route))
      return { reason: 'a route of Astro cannot have brackets, % or bytes that are no text' }
    return { rule: `  ${JSON.stringify(route)}: ${JSON.stringify(to)},` }
  },
  file: (rules) =>
    [
      '// In astro.config.mjs: import redirects from "./redirects.mjs", then defineConfig({ redirects })',
      'export default {',
      ...rules,
      '}',
      '',
    ].join('\n'),
}

const writers: Readonly<Record<HostFormat, Writer>> = { netlify, vercel, nginx, astro }

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function hasCapitals(text: string): boolean {
  return text !== text.toLowerCase()
}

/** A text for path-to-regexp that matches itself alone. */
function escapedPattern(text: string): string {
  return text.replace(/[(){}:*+?[\]!=^$|\\]/g, '\\$&')
}

/** A regular expression that matches this text alone. */
function escapedExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A parameter of nginx in quotes, in which a backslash escapes a quote or a backslash. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
