import type { IncomingMessage } from 'node:http'

/** Whether the client has the representation with this tag (RFC 9110 §13.1.2, §13.2.2). */
export function hasCurrent({ headers }: Pick<IncomingMessage, 'headers'>, tag: string): boolean {
  const sent = headers['if-none-match']
  if (sent === undefined || sent === tag) return sent === tag
  return sent.trim() === '*' || tagsIn(sent).includes(tag.slice(1, -1))
}

function tagsIn(header: string): readonly string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '')
}
