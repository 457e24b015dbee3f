import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Post } from '../../resources/posts/post-schema.ts'
import type { ChangePage } from './feed-client.ts'
import { type FolderState, type OwnFile, replaceFile, saveState } from './folder-state.ts'
import { fileNameOf, type MissingPictures, type PostFile, toPostFile } from './post-file.ts'

/** A file of somebody else has the name of one that has to be written. */
export class ForeignFile extends Error {
  constructor(path: string) {
    super(`${path} already exists and was not written by verso sync. Move it away and run the command again.`)
    this.name = 'ForeignFile'
  }
}

/** What a page did to the files of a folder. */
export interface Done {
  readonly written: number
  readonly deleted: number
  readonly hasMore: boolean
  /** Pictures of the posts of this page that are not there. */
  readonly missing: readonly MissingPicture[]
}

/** A picture with a relative address that leads to no file. */
export interface MissingPicture {
  readonly file: string
  readonly picture: string
}

/** A folder, and how its posts are written. */
export interface Target {
  readonly folder: string
  readonly pictures: MissingPictures
}

/**
 * Applies a page of changes. The state names the files before they are touched, and the cursor after all of them: if the program is killed in
 * between, the next run applies the page again and recognises its own files.
 */
export async function applyPage(
  { folder, pictures }: Target,
  state: FolderState,
  page: ChangePage,
): Promise<{ readonly done: Done; readonly after: FolderState }> {
  const { files, posts, left, isWhole } = plan(state, page, (post) => toPostFile(folder, post, pictures))
  const texts = new Map([...posts].map(([name, { text }]) => [name, text]))
  const missing = [...posts].flatMap(([file, post]) => post.missing.map((picture) => ({ file, picture })))
  const names = new Set([...files.values()].map(({ name }) => name))
  const spare = [...new Set([...state.claimed, ...left])].filter((name) => !names.has(name))
  const news = await listUnwritten(folder, texts)
  requireOwn(folder, state, news)
  const claimed = [...news.keys(), ...spare]
  if (claimed.length > 0) await saveState(folder, { ...state, claimed: [...new Set([...state.claimed, ...claimed])] })
  for (const [name, { text }] of news) await replaceFile(folder, name, text)
  for (const name of spare) await rm(join(folder, name), { force: true })
  const after: FolderState = { ...state, cursor: page.nextCursor, isWhole, files, claimed: [] }
  if (claimed.length > 0 || texts.size > 0 || page.nextCursor !== state.cursor || isWhole !== state.isWhole) await saveState(folder, after)
  return { done: { written: news.size, deleted: spare.length, hasMore: page.hasMore, missing }, after }
}

interface Plan {
  readonly files: ReadonlyMap<string, OwnFile>
  /** The files of this page, by name. */
  readonly posts: ReadonlyMap<string, PostFile>
  /** Names that posts no longer have; other posts may have taken them. */
  readonly left: readonly string[]
  readonly isWhole: boolean
}

function plan({ files: before, round, isWhole }: FolderState, { data, hasMore }: ChangePage, toFile: (post: Post) => PostFile): Plan {
  const files = new Map(before)
  const posts = new Map<string, PostFile>()
  const left: string[] = []
  const leave = (id: string, name?: string) => {
    const old = files.get(id)
    if (old && old.name !== name) left.push(old.name)
    if (name === undefined) files.delete(id)
    else files.set(id, { name, round })
  }
  for (const change of data) {
    if (change.type !== 'post') continue
    const name = change.action === 'upsert' ? fileNameOf(change.data.slug) : undefined
    leave(change.id, name)
    if (change.action === 'upsert' && name !== undefined) posts.set(name, toFile(change.data))
  }
  // The round is complete: what it did not bring is gone.
  if (!hasMore && !isWhole) for (const [id, file] of [...files]) if (file.round !== round) leave(id)
  return { files, posts, left, isWhole: isWhole || !hasMore }
}

interface Unwritten {
  readonly text: string
  readonly isThere: boolean
}

/** The files whose text is not yet the right one. */
async function listUnwritten(folder: string, texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Unwritten>> {
  const found = new Map<string, Unwritten>()
  for (const [name, text] of texts) {
    const present = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (present !== text) found.set(name, { text, isThere: present !== undefined })
  }
  return found
}

function requireOwn(folder: string, { files, claimed }: FolderState, news: ReadonlyMap<string, Unwritten>): void {
  const own = new Set([...claimed, ...[...files.values()].map(({ name }) => name)])
  for (const [name, { isThere }] of news) if (isThere && !own.has(name)) throw new ForeignFile(join(folder, name))
}
