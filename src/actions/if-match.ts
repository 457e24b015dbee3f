import { Problem } from '../values/problems.ts'

/** The versions that `If-Match` allows; `any` if it is missing, `existing` if it is `*`, `unquoted` if it has no quoted tag. */
export type VersionCheck = 'any' | 'existing' | 'unquoted' | readonly number[]

/**
 * The versions in the entity tags of `If-Match` (RFC 9110 §13.1.1), such as `"7"` or `"7.<mark><hash>"`. A foreign tag allows no version, and
 * neither does one that was made before a restore, after which the same versions are given out again.
 */
export function parseIfMatch(text: string, epoch: string): VersionCheck {
  if (text.trim() === '*') return 'existing'
  if (!text.includes('"')) return 'unquoted'
  return [...text.matchAll(/"([^"]*)"/g)].flatMap(([, tag = '']) => {
    const [, version, hash = ''] = /^([1-9]\d{0,14})(?:\.(.*))?$/s.exec(tag) ?? []
    const isOfAnotherEpoch = hash.length === markLength + tagHashLength && !hash.startsWith(markOf(epoch))
    return version === undefined || isOfAnotherEpoch ? [] : [Number(version)]
  })
}

/** The characters of the mark and of the hash in an ETag `"<version>.<mark><hash>"`. */
const markLength = 4
export const tagHashLength = 22

/** What every ETag with a version has of the epoch: 24 random bits. */
export function markOf(epoch: string): string {
  return epoch.slice(0, markLength)
}

/** 412 `stale_version` if there is none although the caller expects one. */
export function requireNone(what: string, expected: VersionCheck): void {
  if (expected !== 'any') throw new Problem('stale_version', `There is no ${what} any more; read again and decide anew.`)
}

/** 412 `stale_version` with the current version, unless it is expected. */
export function requireVersion(what: string, version: number, expected: VersionCheck): void {
  if (expected === 'any' || expected === 'existing' || (expected !== 'unquoted' && expected.includes(version))) return
  const detail =
    expected === 'unquoted'
      ? `The tag in If-Match needs quotes: write "${version}", not ${version}, for the ${what} at version ${version}.`
      : `The ${what} is at version ${version} by now; read it again and decide anew.`
  throw new Problem('stale_version', detail, { members: { version } })
}
