import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** A file of the source, and what it imports. */
export interface Source {
  /** Under `src/`. */
  readonly path: string
  readonly text: string
  /** Paths under `src/`, and names of packages. */
  readonly imports: readonly string[]
}

const root = resolve(import.meta.dirname, '../../src')

/** Every TypeScript file under `src/`. */
export function readSources(): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8')))
}

/** A file with this text at this path, as if it stood under `src/`. */
export function sourceOf(path: string, text: string): Source {
  const named = text.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gms)
  const resolved = (name: string) =>
    name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)).replaceAll('\\', '/') : name
  return { path, text, imports: [...named].map((match) => resolved(match[1] ?? match[2] ?? match[3] ?? '')) }
}
