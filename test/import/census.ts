import type { MarkdownPost } from '../../src/import/markdown/post-fields/to-source-post.ts'
import type { SourceItem } from '../../src/import/source-post.ts'

export interface ExpectedBlog {
  readonly counts: Readonly<Record<string, number>>
  readonly front_matter: Readonly<Record<string, number>>
  readonly languages: Readonly<Record<string, number>>
  readonly images: Readonly<Record<string, number>>
  readonly tags: ExpectedTerms
  readonly categories: ExpectedTerms
  readonly authors: ExpectedTerms
  readonly dup_slugs: number
  readonly dup_slug_list: readonly string[]
  readonly dup_titles: number
  readonly years: string
  readonly author_map?: { readonly entries: number; readonly keys_referenced: number }
}

interface ExpectedTerms {
  readonly distinct: number
  readonly uses: number
  readonly distinct_ignoring_case?: number
  readonly top: readonly (readonly [string, number])[]
}

type Terms = { readonly totals: Omit<ExpectedTerms, 'top'>; readonly uses: ReadonlyMap<string, number> }

export interface Census {
  readonly counts: Readonly<Record<string, number>>
  readonly formats: Readonly<Record<string, number>>
  readonly languages: Readonly<Record<string, number>>
  readonly images: Readonly<Record<string, number>>
  readonly tags: Terms
  readonly categories: Terms
  readonly authors: Terms
  readonly duplicateTitles: number
  readonly years: string
  duplicateSlugs(withinLanguages: boolean): readonly string[]
}

const questions: Readonly<Record<string, (post: MarkdownPost, bytes: Buffer) => boolean>> = {
  posts: () => true,
  files: () => true,
  slug_key: ({ origin }) => origin.slugFrom === 'front matter',
  date_from_file_name: ({ origin }) => origin.dateFrom === 'file name',
  date_from_path_key: ({ origin }) => origin.dateFrom === 'address',
  without_author: ({ authors }) => authors.length === 0,
  several_authors: ({ authors }) => authors.length > 1,
  without_tags: ({ tags }) => tags.length === 0,
  with_excerpt_key: ({ excerpt }) => excerpt !== null,
  with_redirects: ({ origin }) => origin.hasAliases,
  with_bom: (_, bytes) => bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')),
  empty_body: ({ content }) => content.trim() === '',
  with_more_marker: ({ content }) => /<!--\s*(?:more|truncate)\b/.test(content),
  title_non_ascii: ({ title }) => /[^\p{ASCII}]/u.test(title),
  title_cjk: ({ title }) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(title),
  title_emoji: ({ title }) => /\p{Extended_Pictographic}/u.test(title),
  title_over_120_chars: ({ title }) => [...title].length > 120,
  posts_with_images: ({ content }) => imagesIn(content).length > 0,
}

/** Counts what was read in the words of the independent count. */
export function takeCensus(items: readonly SourceItem<MarkdownPost>[], bytesOf: (path: string) => Buffer): Census {
  const posts = items.filter((item) => item.kind === 'post')
  const skipped = (...reasons: string[]) => items.filter((item) => item.kind === 'skip' && reasons.includes(item.reason)).length
  const asked = Object.entries(questions).map(
    ([name, holds]) => [name, posts.filter((post) => holds(post, bytesOf(post.path))).length] as const,
  )
  const years = posts.map(({ date }) => date?.slice(0, 4) ?? '').sort()
  return {
    counts: {
      ...Object.fromEntries(asked),
      section_or_partial_files: skipped('section', 'partial'),
      other_files: skipped('data', 'other'),
    },
    formats: Object.fromEntries(tally(posts.map(({ origin }) => origin.format))),
    languages: Object.fromEntries(tally(posts.map(({ origin }) => origin.language ?? 'default'))),
    images: Object.fromEntries(tally(posts.flatMap(({ content }) => imagesIn(content).map(kindOf)))),
    tags: termsOf(posts.flatMap(({ tags }) => tags)),
    categories: termsOf(posts.flatMap(({ categories }) => categories)),
    authors: termsOf(posts.flatMap(({ authors }) => authors.map(({ key }) => key))),
    duplicateTitles: repeated(posts.map(({ title }) => title)).length,
    years: `${years[0]}-${years.at(-1)}`,
    duplicateSlugs: (within) => repeated(posts.map(({ origin }) => (within ? `${origin.language}:${origin.slug}` : origin.slug))).sort(),
  }
}

/** The addresses of images outside fenced code. */
function imagesIn(content: string): string[] {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of content.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (!mark && fence === undefined) lines.push(line)
    else if (mark && fence === undefined) fence = mark.slice(0, 3)
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
  }
  const images = lines.join('\n').matchAll(/!\[[^\]]*\]\(([^)\s]+)[^)]*\)|<img\b[^>]*?src=["']?([^"'\s>]+)/g)
  return [...images].map(([, markdown, html]) => markdown ?? html ?? '')
}

function kindOf(address: string): string {
  if (/^(?:https?:)?\/\//.test(address)) return 'absolute'
  return address.startsWith('/') ? 'root' : 'relative'
}

function termsOf(names: readonly string[]): Terms {
  const uses = tally(names)
  const folded = new Set(names.map((name) => name.toLowerCase()))
  return { totals: { distinct: uses.size, uses: names.length, distinct_ignoring_case: folded.size }, uses }
}

function repeated(texts: readonly string[]): string[] {
  return [...tally(texts)].flatMap(([text, count]) => (count > 1 ? text : []))
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** The body of a file that opens with front matter, found without the service: what follows the second line that is a fence. */
export function bodyOf(file: Buffer): Buffer {
  const fence = /^(---|\+\+\+)[a-z]*\s*$/
  let fences = 0
  for (let start = 0; start < file.length && fences < 2; ) {
    const end = file.indexOf('\n', start) < 0 ? file.length : file.indexOf('\n', start) + 1
    if (fence.test(file.subarray(start, end).toString('utf8').replace('\uFEFF', ''))) fences += 1
    if (fences === 2) return file.subarray(end)
    start = end
  }
  return Buffer.alloc(0)
}
