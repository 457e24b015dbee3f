import { changePosts, type Operation, type Progress } from '../api/posts.ts'
import type { Post } from '../api/verso.ts'
import { t } from '../i18n/catalogue.ts'
import { verso } from '../route/router.ts'
import { say } from './layers.tsx'

interface Edit<T> {
  readonly before: T
  readonly after: object
  readonly said: string
  /** Gets what is to be changed, and of what. */
  put(edits: object, of: T): Promise<T>
  onDone(): void
}

/** Changes what is other than before, for two people may change different things of one, and says so, with a way back. */
export async function saveEdit<T extends object>({ before, after, said, put, onDone }: Edit<T>): Promise<void> {
  const old = new Map<string, unknown>(Object.entries(before))
  const edits = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)))
  if (edits.length === 0) return
  const now = await put(Object.fromEntries(edits), before)
  onDone()
  say(said, () => put(Object.fromEntries(edits.map(([name]) => [name, old.get(name)])), now).then(onDone))
}

export interface Deed<P> {
  /** Gets the posts as they are now, too. */
  said(count: number, now: readonly (Post | undefined)[]): string
  change(post: P): Operation
  /** Makes a post again what it was. */
  revert(before: P, now: Post | undefined): Operation
}

/** Does something to each of several posts, and says to how many, with a way back, and why others were left as they were. */
export async function changeEach<P extends { readonly id: string }>(
  posts: readonly P[],
  { said, change, revert }: Deed<P>,
  { onDone, ...progress }: Progress & { onDone(): void },
): Promise<void> {
  const client = verso()
  const run = async (operations: readonly Operation[], shown?: Progress) => {
    const { done, failures } = await changePosts(client, operations, shown)
    if (failures.length > 0) say(t('posts.failed', { count: failures.length, why: failures[0] ?? '' }))
    onDone()
    return new Map(done.map(({ id, post }) => [id, post]))
  }
  const done = await run(posts.map(change), progress)
  const back = posts.flatMap((post) => (done.has(post.id) ? [revert(post, done.get(post.id))] : []))
  if (done.size > 0) say(said(done.size, [...done.values()]), () => run(back))
}
