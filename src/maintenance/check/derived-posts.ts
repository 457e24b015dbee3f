import type { Engine } from '../../database/engine.ts'
import { byFolded } from '../../resources/posts/post.ts'
import { byPath } from '../../resources/site/alias.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { fold } from '../../values/letters/case-fold.ts'
import { atOneInstant } from './check-rows.ts'
import { type DerivedPost, listDerivedPosts } from './check-store.ts'

/** Posts that are read at once. */
const batch = 1_000

interface FaultyPost {
  readonly id: PostId
  readonly faults: readonly string[]
}

/** The posts of a project whose folded title, tags or aliases for lists are not what they should be, in batches. */
export async function* derivedFaults(engine: Engine, projectId: ProjectId): AsyncGenerator<readonly FaultyPost[]> {
  let after = ''
  for (;;) {
    const from = after
    const posts = await atOneInstant(engine, projectId, (db) => listDerivedPosts(db, projectId, from, batch))
    yield posts.map((post) => ({ id: post.id, faults: [...faultsOf(post)] })).filter(({ faults }) => faults.length > 0)
    const last = posts.at(-1)
    if (!last || posts.length < batch) return
    after = last.id
  }
}

function* faultsOf({ id, title, titleFolded, tags, indexed, aliases, paths }: DerivedPost): Generator<string> {
  if (fold(title) !== titleFolded) yield `${id} cannot be found by its title`
  const named = textsIn(tags)
  if (named === undefined) yield `the tags of ${id} cannot be read`
  else if (differs(tagRowsOf(named), indexed)) yield `${id} is not listed under its tags`
  const held = textsIn(aliases)
  if (held === undefined) yield `the aliases of ${id} cannot be read`
  else if (differs(byPath(held), paths)) yield `${id} does not hold its aliases`
}

function differs(wanted: Pick<ReadonlySet<string>, 'has' | 'size'>, found: readonly string[]): boolean {
  return wanted.size !== found.length || found.some((each) => !wanted.has(each))
}

/** The rows in `post_tags` that a post's tags ask for: folded name and spelling. */
function tagRowsOf(tags: readonly string[]): ReadonlySet<string> {
  return new Set([...byFolded(tags)].map(([folded, name]) => `${folded}\n${name.trim()}`))
}

function textsIn(json: string): readonly string[] | undefined {
  try {
    return JSON.parse(json) as readonly string[]
  } catch {
    return undefined
  }
}
