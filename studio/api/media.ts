import type { Media, MediaCreate, RequestOptions, Verso } from './verso.ts'

const mimeTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml'] as const

/** The last part of an address, as it is written there. */
const writtenNameIn = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** … as people read it; as it is written where that is no UTF-8. */
function nameIn(url: string): string {
  const name = writtenNameIn(url)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** What the browser can tell of a picture; 0 for what it cannot. Of one from elsewhere it tells the bytes only if its host sends `Timing-Allow-Origin`. */
export async function measure(url: string): Promise<MediaCreate> {
  const image = new Image()
  image.src = url
  await image.decode().catch(() => undefined)
  const sizes = performance
    .getEntriesByName(image.src)
    .map((each) => (each instanceof PerformanceResourceTiming ? each.encodedBodySize : 0))
  const filename = nameIn(url)
  const ending = filename.split('.').at(-1)?.toLowerCase().replace('jpg', 'jpeg') ?? ''
  const mimeType = mimeTypes.find((type) => ending !== '' && type.includes(`/${ending}`)) ?? 'image/jpeg'
  return { url, filename, mimeType, size: Math.max(0, ...sizes), width: image.naturalWidth, height: image.naturalHeight, alt: '' }
}

/** Posts that show a picture, up to a hundred: those whose text has the words of its name, in either spelling, and among these those whose picture it is. */
export async function postsShowing(verso: Verso, { id, url }: Media, stop: RequestOptions) {
  const query = { fields: 'title', include: 'media', limit: 100, total: false } as const
  const names = [...new Set([writtenNameIn(url), nameIn(url)])]
  const pages = await Promise.all(names.map((name) => verso.posts.list({ ...query, q: name.slice(0, 200) }, stop)))
  const found = new Map(pages.flatMap(({ data }) => data).map((post) => [post.id, post]))
  return [...found.values()].filter(({ media }) => media.some((each) => each.id === id))
}
