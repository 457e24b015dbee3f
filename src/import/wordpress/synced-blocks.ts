/** Synced blocks, which are stored once for many posts, by their ids. Null is one that the site does not show. */
export type SyncedBlocks = ReadonlyMap<string, string | null>

const refs = /"ref":\s*(\d+)/g
/** Deeper ones nobody writes. */
const maxDepth = 10

/** The id of the synced block that a block stands for; empty if it stands for none. */
export function refIn(block: string): string {
  return block.matchAll(refs).next().value?.[1] ?? ''
}

/** The content of a synced block where others stand around it; none if it is not shown, or if it is one of these. */
export function findSynced(blocks: SyncedBlocks, id: string, within: readonly string[]): string | undefined {
  return within.includes(id) || within.length >= maxDepth ? undefined : (blocks.get(id) ?? undefined)
}

/** The contents of the synced blocks of a text, and of those in these, one by one: they may be more than fits into the memory. */
export function* syncedIn(content: string, blocks: SyncedBlocks, within: readonly string[] = []): Generator<string, void, void> {
  for (const [, id = ''] of content.matchAll(refs)) {
    const block = findSynced(blocks, id, within) ?? ''
    yield block
    yield* syncedIn(block, blocks, [...within, id])
  }
}
