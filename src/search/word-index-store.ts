import { createHash } from 'node:crypto'
import { type QueryExecutorProvider, sql } from 'kysely'
import type { InvertedIndex } from '../database/schema-dialect.ts'
import { cutToCodePoints } from '../values/code-points.ts'
import { letOthersGo, shortTurns } from '../values/event-loop.ts'
import type { PostId, ProjectId } from '../values/ids.ts'
import { foldText, wordsIn } from './tokenizer.ts'

/** How much of a content is indexed: docs/reference/api.md#search. */
const maxIndexedCodePoints = 100_000
/** Folding a longer text takes milliseconds. */
const longText = 50_000
/** Far more than a text of people has. FTS5 writes the words of a post in one go: 200,000 take 90 ms. */
const maxDifferentWords = 40_000
/** About a tenth of a millisecond. */
const wordsBetweenTurns = 500
/** One statement indexes texts of about this many letters together. */
const lettersPerStatement = 20_000
/** Raised whenever the tokenizer changes. Entries with another number are stale. */
const wordsVersion = 2

/** The fields of a post that `q` searches. */
export interface Worded {
  readonly id: PostId
  readonly title: string
  readonly excerpt: string | null
  readonly content: string
  readonly contentHash: string
}

/** Updates the index of words for these posts. Long texts let other requests have a turn. */
export async function indexWords(
  tx: QueryExecutorProvider,
  index: InvertedIndex,
  projectId: ProjectId,
  posts: readonly Worded[],
): Promise<void> {
  const turn = shortTurns()
  let [entries, letters]: [Entry[], number] = [[], 0]
  for (const [i, post] of posts.entries()) {
    const entry = await toEntry(post, turn)
    entries.push(entry)
    letters += entry.title.length + entry.excerpt.length + entry.content.length
    if (letters < lettersPerStatement && i < posts.length - 1) continue
    // To list the words of a long text takes some ten milliseconds, and to write them up to forty.
    if (letters > longText) await letOthersGo()
    await writeEntries(tx, index, projectId, entries)
    await turn()
    ;[entries, letters] = [[], 0]
  }
}

async function writeEntries(
  tx: QueryExecutorProvider,
  index: InvertedIndex,
  projectId: ProjectId,
  entries: readonly Entry[],
): Promise<void> {
  const [first, second] = entries
  if (!first) return
  const several = index === 'fts5' ? intoTable : intoColumns
  const isOne = index === 'fts5' && !second
  await (isOne ? oneIntoTable(projectId, first) : several(projectId, JSON.stringify(entries))).execute(tx)
}

/** A hash of the text and the version of the tokenizer: an entry with another one is stale. */
export function wordsDigest({ title, excerpt, contentHash }: Omit<Worded, 'id' | 'content'>): string {
  const parts = JSON.stringify([wordsVersion, title, excerpt, contentHash])
  return createHash('sha256').update(parts).digest('base64url').slice(0, 16)
}

type Entry = Awaited<ReturnType<typeof toEntry>>

async function toEntry(post: Worded, turn: () => Promise<void> | undefined) {
  const { id, title, excerpt, content } = post
  // Storing the post has just taken as long as folding its text will.
  if (content.length > longText) await letOthersGo()
  const indexed = content.length > maxIndexedCodePoints ? cutToCodePoints(content, maxIndexedCodePoints) : content
  return {
    id,
    title: await listWords(title, turn),
    excerpt: await listWords(excerpt ?? '', turn),
    content: await listWords(indexed, turn),
    digest: wordsDigest(post),
  }
}

/** The words of a text, each once. They have no blanks, so a text can list them. */
async function listWords(text: string, turn: () => Promise<void> | undefined): Promise<string> {
  const listed = new Set<string>()
  let found = 0
  // To cut a long text, to fold it, and to find its words take milliseconds each.
  await turn()
  const folded = foldText(text)
  await turn()
  for (const word of wordsIn(folded)) {
    listed.add(word)
    if (listed.size === maxDifferentWords) break
    if (++found % wordsBetweenTurns === 0) await turn()
  }
  return [...listed].join(' ')
}

/** A row written like this takes a third of the time: FTS5 flushes its buffer before every statement that may write several rows. */
function oneIntoTable(projectId: ProjectId, { id, title, excerpt, content, digest }: Entry) {
  return sql`
    insert or replace into search_words (rowid, title, excerpt, content, digest)
    values ((select number from search_posts where project_id = ${projectId} and id = ${id}), ${title}, ${excerpt}, ${content}, ${digest})
  `
}

function intoTable(projectId: ProjectId, entries: string) {
  return sql`
    insert or replace into search_words (rowid, title, excerpt, content, digest)
    select numbered.number, entry.value ->> 'title', entry.value ->> 'excerpt', entry.value ->> 'content', entry.value ->> 'digest'
    from json_each(${entries}) as entry
    cross join search_posts as numbered on numbered.project_id = ${projectId} and numbered.id = entry.value ->> 'id'
  `
}

function intoColumns(projectId: ProjectId, entries: string) {
  return sql`
    insert into search_words (project_id, id, title, excerpt, content, digest)
    select ${projectId}, id, string_to_array(title, ' '), string_to_array(excerpt, ' '), string_to_array(content, ' '), digest
    from json_to_recordset(${entries}::json) as entry (id text, title text, excerpt text, content text, digest text)
    on conflict (project_id, id) do update
    set title = excluded.title, excerpt = excluded.excerpt, content = excluded.content, digest = excluded.digest
  `
}
