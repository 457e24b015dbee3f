import type { ImportReport } from './import-report.ts'

type Note = ImportReport['notes'][number]

/** Notes that differ in names and numbers alone. */
export interface NoteKind {
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
