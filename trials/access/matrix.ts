import type { SeededRandom } from '../harness/seeded-random.ts'
import type { Place, PlacedRequest } from './places.ts'
import { absentLike, type Names, type ProjectFixture, type TwoProjectFixtures, tracesOf } from './project-fixtures.ts'
import { told, type WireAnswer } from './wire.ts'

/** Who asks: with what, and whose things are its own. */
export interface Asker {
  readonly name: string
  readonly token: string | null
  readonly home: ProjectFixture
  readonly foreign: ProjectFixture
}

export interface Findings {
  /** Requests made. */
  cells: number
  /** Requests for what is the asker's own that were not refused. */
  ownAnswered: number
  /** Answers that told what belongs to another project, one line each. */
  readonly crossings: string[]
  /** Answers to another's name that differ from those to a name that nothing has. */
  readonly differing: string[]
}

export interface Draw {
  readonly random: SeededRandom
  /** How many names of another project each place is tried with. */
  readonly names: number
}

/** Those who may not ask at all. */
const refused = ['none', 'mistyped', 'expired', 'revoked', 'old, after its grace period']

/** Everybody who can ask. */
export function askersOf({ own, other }: TwoProjectFixtures): readonly Asker[] {
  const of = (home: ProjectFixture, foreign: ProjectFixture) => (name: string, token: string | null) => ({ name, token, home, foreign })
  const mine = of(own, other)
  return [
    ...Object.entries(own.keys).map(([name, token]) => mine(name, token)),
    mine('none', null),
    mine('mistyped', `${own.keys.all}x`),
    of(other, own)("the other project's", other.keys.all ?? ''),
    of(other, own)("the other project's public", other.keys.public ?? ''),
  ]
}

/** Asks for one place with one key: what is the asker's own, what is another's, and what nothing has. */
export async function askCell(
  fixtures: TwoProjectFixtures,
  place: Place,
  asker: Asker,
  findings: Findings,
  { random, names }: Draw,
): Promise<void> {
  const { home, foreign } = asker
  const absent = absentLike(foreign.names)
  const ask = asking(fixtures, asker, findings)
  const isWrite = place.operation.method !== 'GET'
  const mine = random.pick(home.names[place.kind])
  const own = await ask(dry(place.request(mine, home.names, home.names), isWrite), 'own')
  if (own.status < 400) findings.ownAnswered++
  const all = foreign.names[place.kind]
  const tried = names >= all.length ? all.keys() : Array.from({ length: names }, () => random.int(all.length))
  for (const i of tried) {
    const name = all[i] ?? ''
    const nobody = absent[place.kind][i] ?? ''
    const named = { request: place.request(name, home.names, foreign.names), names: foreign.names }
    const unnamed = { request: place.request(nobody, home.names, absent), names: absent }
    const compareAs = (change: (request: PlacedRequest) => PlacedRequest) =>
      compare(ask, findings, {
        place,
        named: { ...named, request: change(named.request) },
        unnamed: { ...unnamed, request: change(unnamed.request) },
      })
    for (const method of isWrite ? [named.request.method] : ['GET', 'HEAD']) {
      const answer = await compareAs((request) => ({ ...dry(request, isWrite), method }))
      // What was refused is refused in earnest too, and leaves no trace.
      if (isWrite && answer.status >= 400) await compareAs((request) => request)
    }
  }
}

type Ask = (request: PlacedRequest, what: string) => Promise<WireAnswer>

/** A request, and the names that it may use of another project. */
interface Asked {
  readonly request: PlacedRequest
  readonly names: Names
}

interface Pair {
  readonly place: Place
  /** By a name of another project. */
  readonly named: Asked
  /** By a name that nothing has. */
  readonly unnamed: Asked
}

/** Notes where the two answers differ, and returns the first. */
async function compare(ask: Ask, findings: Findings, { place, named, unnamed }: Pair): Promise<WireAnswer> {
  const { method, path } = named.request
  const answer = await ask(named.request, "another's")
  const [one, other] = [comparable(answer, place, named.names), comparable(await ask(unnamed.request, 'absent'), place, unnamed.names)]
  if (one !== other) findings.differing.push(`${method} ${path}, ${place.label}\n${one}\n---\n${other}`)
  return answer
}

function dry(request: PlacedRequest, isWrite: boolean): PlacedRequest {
  return isWrite ? { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}dry_run=true` } : request
}

/** The ETag of a list is made from its query, so it differs with the name that is asked for; so does what is encoded in a cursor. */
function comparable(answer: WireAnswer, { label }: Place, names: Names): string {
  const isInQuery = label.startsWith('?')
  // Their order says whether somebody asked before.
  const headers = answer.headers.filter(([name]) => !(isInQuery && name === 'etag')).sort(([a], [b]) => (a < b ? -1 : 1))
  return withoutNames(told({ ...answer, headers }), names)
}

/** With every name of a project replaced, encoded or not. */
function withoutNames(text: string, names: Names): string {
  const all = Object.entries(names).flatMap(([kind, each]) => each.map((name) => [kind, name] as const))
  const sorted = all.sort(([, a], [, b]) => b.length - a.length)
  return sorted.reduce((rest, [kind, name]) => rest.replaceAll(encodeURIComponent(name), `<${kind}>`).replaceAll(name, `<${kind}>`), text)
}

/** Sends a request, and looks for anything of the other project in the answer that was not in the request. */
function asking(fixtures: TwoProjectFixtures, asker: Asker, findings: Findings): Ask {
  return async (request, what) => {
    fixtures.reseed(`${request.method} ${request.path.length}`)
    const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
    const headers = { ...ignored, 'x-request-id': 'same', 'x-forwarded-for': addressOf(findings.cells), ...request.headers }
    const answer = await fixtures.wire({ method: request.method, path: request.path, key: asker.token, headers, ...body })
    findings.cells++
    const sent = `${decodeURIComponent(request.path)} ${request.path} ${JSON.stringify(request.body)} ${JSON.stringify(request.headers)}`
    const isAccepted = refused.includes(asker.name) && answer.status !== 401 && !request.path.includes('preview_token')
    if (isAccepted) findings.crossings.push(`${asker.name}: ${request.method} ${request.path} was answered ${answer.status}`)
    // The slug of a tag follows from the name that was sent.
    const isSent = (trace: string) => sent.includes(trace) || sent.replaceAll(' ', '-').includes(trace)
    const crossed = tracesOf(asker.foreign, told(answer)).filter((trace) => !isSent(trace))
    const leftLog = tracesOf(asker.foreign, fixtures.takeLog())
    if (crossed.length > 0) findings.crossings.push(`${asker.name}: ${what} ${request.method} ${request.path} told ${crossed}`)
    if (leftLog.length > 0) findings.crossings.push(`${asker.name}: ${what} ${request.method} ${request.path} left ${leftLog} in the log`)
    if (answer.status >= 500) findings.crossings.push(`${request.method} ${request.path}: ${answer.status}`)
    return answer
  }
}

/** Headers with which other programs can be led astray. */
const ignored = {
  'x-http-method-override': 'DELETE',
  'x-original-url': '/v1/admin/keys',
  'x-verso-project': 'other',
  cookie: 'project=other',
}

/** Each request comes from an address of its own, so that those that fail do not slow the others. */
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
