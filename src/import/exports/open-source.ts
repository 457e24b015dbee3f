import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Instant } from '../../values/instant.ts'
import type { Timezone } from '../markdown/post-fields/timezone.ts'
import { openFolder } from '../markdown/read-folder.ts'
import type { ImportSource } from '../source-post.ts'
import { FileFault } from './read-text.ts'

/** What the user says about a source, whatever kind it is. */
export interface SourceOptions {
  readonly timezone: Timezone | undefined
  readonly language: string | undefined
  readonly siteUrl: string | undefined
  /** Fields of front matter that go by another name. */
  readonly renamed: ReadonlyMap<string, string> | undefined
  /** Types of items of WordPress that come in as posts, besides `post`. */
  readonly types: readonly string[]
  readonly trash: boolean
  readonly pages: boolean
  readonly primaryTagIsCategory: boolean
  readonly now: Instant
  /** Told how far the first reading of an export is. */
  onProgress(items: number): void
}

/** Opens a source, recognised by what is in it. Throws `FileFault` for a file that cannot be read to its end. */
export async function openSource(path: string, options: SourceOptions): Promise<ImportSource> {
  const kind = await kindOf(path)
  if (kind === 'wordpress') {
    const { openWordpress } = await import('../wordpress/open-wordpress.ts')
    const types = ['post', ...(options.pages ? ['page'] : []), ...options.types]
    return openWordpress(path, { ...options, types })
  }
  if (kind === 'ghost') {
    const { openGhost } = await import('../ghost/open-ghost.ts')
    return openGhost(path, { ...options, siteUrl: options.siteUrl?.replace(/(?<!\/)\/+$/, '') })
  }
  const source = await openFolder(path, options)
  if (source.total === 0) await refuseFolderOfExports(path)
  return source
}

type FileKind = 'wordpress' | 'ghost' | 'markdown'

const headBytes = 64 * 1024
const textExtensions = ['.md', '.mdx', '.markdown', '.mdown', '.mkd', '.html', '.htm']

/** How files of zip, gzip, RAR, 7z, bzip2, xz and Zstandard begin. */
const archives = ['PK\x03\x04', '\x1f\x8b', 'Rar!', '7z\xbc\xaf', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd']
/** With a byte order mark, or a letter beside NUL. */
const utf16 = /^(?:\xff\xfe|\xfe\xff|\s*(?:[\s<{]\0|\0[\s<{]))/

/** Whether a file is an export, by what is in it. Anything else is for the reader of Markdown. */
async function kindOf(path: string): Promise<FileKind> {
  const found = await stat(path).catch(() => undefined)
  const extension = extname(path).toLowerCase()
  if (!found?.isFile() || textExtensions.includes(extension)) return 'markdown'
  const head = await headOf(path)
  if (archives.some((magic) => head.startsWith(magic)))
    throw new FileFault('the file is an archive; unpack it first, and import what is in it')
  if (utf16.test(head)) throw new FileFault('the file is in UTF-16; convert it to UTF-8 first', 1)
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (extension === '.xml' || /^<\?xml|^<rss\b/.test(text)) return xmlKind(text)
  if (extension === '.json' || /^\{\s*"(?:db|meta|data)"\s*:/.test(text)) return jsonKind(text)
  return 'markdown'
}

function xmlKind(text: string): FileKind {
  if (text === '') throw new FileFault('the file is empty')
  const encoding = /^<\?xml[^>]{0,200}?encoding=["']([\w.:-]{1,40})["']/.exec(text)?.[1] ?? 'UTF-8'
  if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) throw new FileFault(`the file says that it is in ${encoding}; convert it to UTF-8 first`, 1)
  if (!/https?:\/\/wordpress\.org\/export\/|<wp:wxr_version>/.test(text))
    throw new FileFault('this XML is no export of WordPress: it does not name its format')
  return 'wordpress'
}

function jsonKind(text: string): FileKind {
  if (text === '') throw new FileFault('the file is empty')
  if (!/^\{/.test(text) || !/"(?:db|meta|data)"\s*:/.test(text))
    throw new FileFault('this JSON is no export of Ghost: it has neither "db" nor "meta" and "data"')
  return 'ghost'
}

/** The first bytes of a file, each as one character. */
async function headOf(path: string): Promise<string> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(headBytes), length: headBytes, position: 0 })
    return buffer.subarray(0, bytesRead).toString('latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new FileFault(`the file cannot be read (${error.code})`)
    throw error
  } finally {
    await file?.close()
  }
}

/** A folder without posts may hold exports. Each is of its own site and is imported by itself. */
async function refuseFolderOfExports(path: string): Promise<void> {
  const names = (await readdir(path).catch(() => [])).filter((name) => /\.(?:xml|json)$/i.test(name)).sort()
  const exports: string[] = []
  for (const name of names.slice(0, 100)) {
    const kind = await kindOf(join(path, name)).catch(() => 'markdown')
    if (kind !== 'markdown') exports.push(name)
  }
  const [first] = exports
  if (first === undefined) return
  const named = `${exports.slice(0, 5).join(', ')}${exports.length > 5 ? `, and ${exports.length - 5} more` : ''}`
  throw new FileFault(
    `the folder has no posts but exports (${named}); import each file by itself, such as verso import ${join(path, first)}`,
  )
}
