import { Problem } from '../values/problems.ts'

/** The versions that `If-Match` allows; `any` if it is missing or `*`, `unquoted` if it has no quoted tag. */
export type VersionCheck = 'any' | 'unquoted' | readonly number[]

/** The versions in the entity tags of `If-Match` (RFC 9110 §13.1.1). A foreign tag allows no version. */
export function parseIfMatch(text: string): VersionCheck {
  if (text.trim() === '*') return 'any'
  if (!text.includes('"')) return 'unquoted'
  return [...text.matchAll(/"([^"]*)"/g)]
    .map((match) => /^([1-9]\d{0,14})(?:\.|$)/.exec(match[1] ?? '')?.[1])
    .filter((version) => version !== undefined)
    .map(Number)
}

/** 412 `stale_version` if there is none although the caller has read one. */
export function requireNone(what: string, expected: VersionCheck): void {
  if (expected !== 'any') throw new Problem('stale_version', `The ${what} that you read is gone by now; read again and decide anew.`)
}

/** 412 `stale_version` with the current version, unless it is expected. */
export function requireVersion(what: string, version: number, expected: VersionCheck): void {
  if (expected === 'any' || (expected !== 'unquoted' && expected.includes(version))) return
  const detail =
    expected === 'unquoted'
      ? `The tag in If-Match needs quotes: write "${version}", not ${version}, for the ${what} at version ${version}.`
      : `The ${what} is at version ${version} by now; read it again and decide anew.`
  throw new Problem('stale_version', detail, { members: { version } })
}
