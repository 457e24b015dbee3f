import { createHash } from 'node:crypto'
import type { PendingEdit } from '../../resources/posts/pending/pending-edit-schema.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import { lineDiff } from '../../resources/posts/revisions/line-diff.ts'
import type { Agent } from '../agent.ts'
import { ask, unlessRefused } from '../api.ts'
import { clipped, fenced, quoted } from '../data-text.ts'

type State = Post | PendingEdit

/** Characters of a diff in an answer. */
const mostDiff = 3_000
const mostValue = 150

/** What a change of a post made of it, field by field, and its text line by line. A pending edit has a time of its own. */
export async function diffOf(before: State | undefined, after: State): Promise<string> {
  const isOneKind = before === undefined || 'basedOn' in before === 'basedOn' in after
  const fields = shown.flatMap((field) => {
    if (field === 'scheduledFor' && !isOneKind) return []
    const [from, to] = [before && JSON.stringify(before[field]), JSON.stringify(after[field])]
    return from === to || (from === undefined && /^(null|\[\]|""|\{("\w+":null,?)+\})$/.test(to))
      ? []
      : [`- ${field}: ${from === undefined ? '' : `${clipped(from, mostValue)} → `}${clipped(to, mostValue)}`]
  })
  const text = await lineDiff(before?.content ?? '', after.content)
  return [...fields, ...(text ? [`+${text.added} −${text.removed} lines`, fenced('diff', clipped(text.diff, mostDiff))] : [])].join('\n')
}

const shown = ['title', 'slug', 'status', 'publishedAt', 'scheduledFor', 'excerpt', 'author', 'category', 'tags', 'seo'] as const

interface Written {
  readonly id: string
  /** What was done, in one sentence. */
  readonly done: string
  /** As `undo` and the next edit name it. */
  readonly version: string
  readonly diff: string
  /** Further arguments of `undo`. */
  readonly undo?: Readonly<Record<string, unknown>>
  /** The call that undoes it, where that is not one of `undo`. */
  readonly undoBy?: string | undefined
}

/** The answer to a write: its version, what changed, where a person looks at it, and how to undo it. */
export async function writtenAnswer(agent: Agent, { id, done, version, diff, undo = {}, undoBy }: Written): Promise<string> {
  return [
    done,
    `version: ${version}`,
    ...(diff === '' ? [] : [`Changed:\n${diff}`]),
    await inStudio(agent, id.startsWith('med_') ? 'media' : `posts/${id}`),
    `To undo it: ${undoBy ?? undoCall({ id, version, ...undo })}`,
  ].join('\n')
}

/** The answer to a write that found everything as it should be. Nothing is to be undone then. */
export function unchangedAnswer(post: Pick<Post, 'id' | 'title'>, version: string): string {
  return `Nothing was changed: ${named(post)} is like this already.\nversion: ${version}`
}

/** The first of two writes, should the second fail. */
export function halfDone({ id, done, version, undo = {}, undoBy = undoCall({ id, version, ...undo }) }: Omit<Written, 'diff'>): string {
  return `${done}\nversion: ${version}\nTo undo it: ${undoBy}`
}

function undoCall(args: object): string {
  return `undo ${JSON.stringify(args)}`
}

/** Where a person looks at it; the studio alone if the service does not say which project this is, as beyond the rate of the key. */
export async function inStudio({ api }: Agent, page: 'media' | 'trash' | `posts/${string}`): Promise<string> {
  const project = await unlessRefused(ask<{ readonly slug: string }>(api, 'GET', '/v1/project'))
  return `In the studio: ${api.url}/studio${project ? `/in/${project.slug}/${page}` : ''}`
}

/** The version of a picture that this actor has registered, and nobody has changed: it has no revisions that would say who did. */
export function registeredVersion(actor: string, id: string): string {
  return `v1.${createHash('sha256').update(`${actor} ${id}`).digest('hex').slice(0, 8)}`
}

/** How an answer names a post. */
export function named({ id, title }: Pick<Post, 'id' | 'title'>): string {
  return `${id} (${quoted(title, 100)})`
}
