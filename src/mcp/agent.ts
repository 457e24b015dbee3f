import { maxClientLength, type Scope } from '../actions/caller.ts'
import type { Api } from './api.ts'

/** Whoever uses the tools, and what for. */
export interface Agent {
  readonly api: Api
  /** As in the log. */
  readonly actor: string
  /** Closed under inclusion. */
  readonly scopes: readonly Scope[]
}

/** The text of an answer of a tool. */
export type Answer = string

/** Characters of an answer: about 2,000 tokens, of 4 characters each. */
export const defaultChars = 8_000
/** No answer is longer. */
export const mostChars = 32_000
const charsPerToken = 4

/** The name of a client as the log and a header can have it. */
export function clientName(name: unknown, version: unknown = ''): string | undefined {
  const [said, revision] = [name, version].map((text) => (typeof text === 'string' ? text.slice(0, maxClientLength) : ''))
  const printable = `${said} ${revision}`.replace(/[^ -~]/g, '').trim()
  return printable === '' ? undefined : printable.slice(0, maxClientLength)
}

/** How long an answer may be, of which `max_tokens` was asked. */
export function budgetOf(maxTokens: number | undefined): number {
  return maxTokens === undefined ? defaultChars : Math.min(maxTokens * charsPerToken, mostChars)
}
