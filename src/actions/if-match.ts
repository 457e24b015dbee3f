import { Problem } from '../values/problems.ts'

/** The versions that `If-Match` allows; `any` where it was not sent or is `*`. */
export type VersionCheck = 'any' | readonly number[]

/** The versions that tags of ours stand for (RFC 9110 §8.8.3); a tag that is none of ours allows nothing. */
export function versionsOfTags(text: string): VersionCheck {
  if (text.trim() === '*') return 'any'
  return [...text.matchAll(/"([^"]*)"/g)]
    .map((match) => /^([1-9]\d{0,14})(?:\.|$)/.exec(match[1] ?? '')?.[1])
    .filter((version) => version !== undefined)
    .map(Number)
}

/** 412 `stale_version` with the present version, unless it is one of those expected. */
export function requireVersion(what: string, version: number, expected: VersionCheck): void {
  if (expected === 'any' || expected.includes(version)) return
  throw new Problem('stale_version', `The ${what} is at version ${version} by now; read it again and decide anew.`, {
    members: { version },
  })
}
