import type { ProblemCode } from '../values/problems.ts'

/** Requests to `/v1` with the key of an agent. Everything that an agent's tools do, they do through it (docs/decisions/0065-agents.md). */
export interface Api {
  /** Where people reach the service, without a slash at its end. */
  readonly url: string
  ask(method: Method, path: string, asked?: Asked): Promise<Told>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface Asked {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  /** The version that the resource must have. */
  readonly ifMatch?: number
  /** The resource must not exist yet. */
  readonly onlyNew?: boolean
}

interface Told {
  readonly status: number
  /** The parsed body; the new address where the status is 301. */
  readonly body: unknown
}

/** A tool cannot do what it was asked to. The message says how to go on. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Refusal'
  }
}

/** `/v1` refused a request of a tool. */
export class Refused extends Refusal {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'Refused'
  }
}

/** What a request to `/v1` carries, for every way to send it. */
export function requestOf(path: string, { query = {}, body, ifMatch, onlyNew }: Asked) {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]))
  const search = new URLSearchParams(given).toString()
  return {
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(onlyNew && { 'if-none-match': '*' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

/** The path of a resource, whose id or slug an agent gave. */
export function pathOf(collection: string, ref: string, rest = ''): string {
  if (!/^[\w-]{1,100}$/.test(ref)) throw new Refusal(`There is nothing with the id or slug ${JSON.stringify(ref.slice(0, 100))}.`)
  return `/v1/${collection}/${ref}${rest}`
}

/** The body of an answer; a refusal that says what to do next if it is a problem. */
export async function ask<T>(api: Api, ...request: Parameters<Api['ask']>): Promise<T> {
  return bodyOf<T>(await api.ask(...request))
}

function bodyOf<T>({ status, body }: Told): T {
  if (status >= 200 && status < 300) return body as T
  throw refusalOf(status, body)
}

/** A resource by its id or slug; by a slug that it had before, too. */
export async function findByRef<T>(api: Api, collection: string, ref: string): Promise<T> {
  const told = await api.ask('GET', pathOf(collection, ref))
  if (told.status !== 301) return bodyOf<T>(told)
  const location = String(told.body)
  return bodyOf<T>(await api.ask('GET', location.slice(location.lastIndexOf('/v1/'))))
}

/** As `ask`; undefined for a 404. */
export async function find<T>(api: Api, ...request: Parameters<Api['ask']>): Promise<T | undefined> {
  return ask<T>(api, ...request).catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'not_found') return undefined
    throw error
  })
}

/** What is read after a write, only to say more of it: a refusal must not hide that the write was done. */
export async function unlessRefused<T>(asking: Promise<T>): Promise<T | undefined> {
  return asking.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
}

/** What the first of two writes has done, and what the second is to do. */
interface Steps {
  /** In words, with how it is undone. */
  readonly done: string
  /** After "to". */
  readonly next: string
}

/** The second of two writes. If it fails, the agent learns what the first has done. */
export async function afterDone<T>({ done, next }: Steps, asking: Promise<T>): Promise<T> {
  return asking.catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(`${done}\nThe next step, to ${next}, met a problem.\n${error.message}`) : error
  })
}

/** What to do about a problem, in one sentence. */
const advice: Partial<Record<ProblemCode, string>> = {
  not_found: 'Use find_posts to look up ids and slugs; what belongs to another project does not exist here.',
  unauthenticated: 'Ask a person for a valid key.',
  invalid_key: 'Ask a person for a valid key.',
  insufficient_scope: 'Ask a person to do this, or to give you a key with that scope.',
  stale_version: 'Read the post again, and repeat the change with the version that you read.',
  pending_conflict: 'A person has to decide: the studio shows both texts.',
  slug_conflict: 'Choose another title.',
  validation_failed: 'Correct these arguments and call the tool again.',
  invalid_parameter: 'Correct this argument and call the tool again.',
  invalid_cursor: 'Start again without cursor.',
  body_too_large: 'Send less text in one call.',
  rate_limited: 'Wait a minute, then go on with fewer calls.',
  overloaded: 'Wait some seconds, then try again.',
  outcome_unknown: 'Read the post to see whether the change was made.',
  unsupported_media_type: 'Register a JPEG, PNG, WebP, GIF or SVG picture.',
}

interface ProblemBody {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly { readonly detail: string }[]
}

const mostFaults = 10

function refusalOf(status: number, body: unknown): Refused {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('detail' in body))
    return new Refused('none', `The service answered ${status}. Try again later.`)
  const { code, detail, errors = [] } = body as ProblemBody
  const faults = errors.slice(0, mostFaults).map((fault) => `- ${fault.detail.slice(0, 500)}`)
  return new Refused(code, [`${code}: ${detail.slice(0, 1_000)}`, ...faults, advice[code] ?? ''].filter(Boolean).join('\n'))
}
