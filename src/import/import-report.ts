import type { Status } from '../resources/posts/post.ts'
import { ownCopy } from '../values/code-points.ts'
import type { ConflictReason } from './detect-changes.ts'
import type { Losses, SourceFault, SourceSkip } from './source-post.ts'

/** What a batch did, or would do. */
export interface BatchReport {
  /** One for each post, in their order. */
  readonly outcomes: readonly Outcome[]
  readonly made: { readonly authors: number; readonly categories: number; readonly tags: number; readonly media: number }
}

export type Outcome =
  | { readonly path: string; readonly result: 'unchanged' }
  | { readonly path: string; readonly result: 'conflicting'; readonly reason: ConflictReason }
  | {
      readonly path: string
      readonly result: 'created' | 'updated'
      readonly title: string
      readonly status: Status
      readonly notes: readonly string[]
      readonly losses: Losses
    }

/** What an import did; after a dry run, what it would do. */
export interface ImportReport {
  readonly posts: Readonly<Record<Outcome['result'] | 'failed', number>>
  /** Of the posts created and updated. */
  readonly drafts: number
  readonly scheduled: number
  /** Posts created and updated that were archived, or that not everybody could read where they come from: out of public sight here as well. */
  readonly archived: readonly { readonly path: string; readonly title: string }[]
  readonly made: BatchReport['made']
  /** How many items hold no post, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** These items. */
  readonly skips: readonly Omit<SourceSkip, 'kind'>[]
  /** Posts of earlier imports that the source no longer has. They are left alone. */
  readonly vanished: number
  readonly conflicts: readonly { readonly path: string; readonly reason: ConflictReason }[]
  readonly faults: readonly Omit<SourceFault, 'kind'>[]
  /** What was lost or changed in posts created and updated, one sentence each. */
  readonly notes: readonly { readonly path: string; readonly note: string }[]
  /** What posts created and updated have and this service does not keep or understand, by name, the most frequent first. */
  readonly losses: Losses
  /** It was stopped before its end. */
  readonly stopped: boolean
}

/** Counts what an import does while it runs. Its texts do not keep the posts alive that they were cut from. */
export class ImportTally {
  readonly #posts = { created: 0, updated: 0, unchanged: 0, conflicting: 0, failed: 0 }
  readonly #made = { authors: 0, categories: 0, tags: 0, media: 0 }
  readonly #unpublished = { drafts: 0, scheduled: 0 }
  readonly #archived: ImportReport['archived'][number][] = []
  readonly #skips: ImportReport['skips'][number][] = []
  readonly #losses = new Map<string, number>()
  readonly #conflicts: ImportReport['conflicts'][number][] = []
  readonly #faults: ImportReport['faults'][number][] = []
  readonly #notes: ImportReport['notes'][number][] = []

  addOther(other: SourceFault | SourceSkip): void {
    if (other.kind === 'skip') return void this.#skips.push({ path: other.path, reason: other.reason })
    const { path, line, message } = other
    this.#posts.failed += 1
    this.#faults.push({ path, line, message: ownCopy(message) })
  }

  addBatch({ outcomes, made }: BatchReport): void {
    for (const outcome of outcomes) this.#addOutcome(outcome)
    for (const kind of ['authors', 'categories', 'tags', 'media'] as const) this.#made[kind] += made[kind]
  }

  addNotes(notes: ImportReport['notes']): void {
    this.#notes.push(...notes)
  }

  report(end: Pick<ImportReport, 'vanished' | 'stopped'>): ImportReport {
    return {
      posts: this.#posts,
      ...this.#unpublished,
      archived: this.#archived,
      made: this.#made,
      skipped: countReasons(this.#skips),
      skips: this.#skips,
      conflicts: this.#conflicts,
      faults: this.#faults,
      notes: this.#notes,
      losses: Object.fromEntries([...this.#losses].sort(([, a], [, b]) => b - a)),
      ...end,
    }
  }

  #addOutcome(outcome: Outcome): void {
    const { path, result } = outcome
    this.#posts[result] += 1
    if (result === 'unchanged') return
    if (result === 'conflicting') return void this.#conflicts.push({ path, reason: outcome.reason })
    if (outcome.status === 'draft') this.#unpublished.drafts += 1
    if (outcome.status === 'scheduled') this.#unpublished.scheduled += 1
    if (outcome.status === 'archived') this.#archived.push({ path, title: ownCopy(outcome.title) })
    this.#notes.push(...outcome.notes.map((note) => ({ path, note: ownCopy(note) })))
    for (const [name, count] of Object.entries(outcome.losses)) this.#losses.set(name, (this.#losses.get(name) ?? 0) + count)
  }
}

function countReasons(skips: ImportReport['skips']): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { reason } of skips) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return Object.fromEntries(counts)
}

type Note = ImportReport['notes'][number]

/** Notes that differ in names and numbers alone. */
interface NoteKind {
  readonly count: number
  readonly example: Note
}

/** The kinds of notes, the most frequent first. */
export function groupNotes(notes: readonly Note[]): readonly NoteKind[] {
  const kinds = new Map<string, NoteKind>()
  for (const note of notes) {
    const key = kindOf(note.note)
    const { count, example } = kinds.get(key) ?? { count: 0, example: note }
    kinds.set(key, { count: count + 1, example })
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count)
}

function kindOf(note: string): string {
  return note.replace(/"[^"]*"(?:, "[^"]*")*/g, '""').replace(/\d+/g, '0')
}
