import { cutToCodePoints, isStorable } from '../values/code-points.ts'
import { closestName } from '../values/letters/closest-name.ts'
import { type Fault, maxErrors, Problem } from '../values/problems.ts'
import type { QueryParams } from './list-spec.ts'

/** Parses one parameter. A parameter with a fault counts as absent, and the fault is reported later. */
export type Read = <T>(name: string, parse: (text: string) => T | Refusal | Refusals) => T | undefined

/** An empty value of these parameters counts as absent. */
const searches = ['search', 'q']
/** What shows more or less of a resource. Where one of these is unknown, none of the others was meant. */
export const selecting: readonly string[] = ['fields', 'exclude', 'include']
/** Names of parameters, fields and sorts are shorter. */
const maxShownName = 64
/** More versions than any resource has. */
const maxVersion = 1_000_000_000

/** Why a value is refused. */
export class Refusal {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {}
}

/** Why several values of one parameter are refused. */
export class Refusals {
  constructor(readonly all: readonly Refusal[]) {}
}

/** Parses the parameters of a query one by one. Empty values are refused, except for searches. */
export function reader(params: QueryParams, faults: Fault[]): Read {
  return (name, parse) => {
    const values = params.get(name)
    const text = values?.[0]
    if (values === undefined || text === undefined) return undefined
    const value =
      values.length > 1
        ? new Refusal('repeated', `\`${name}\` is given ${values.length} times; give it once.`)
        : parseText(name, text, parse)
    if (!(value instanceof Refusal || value instanceof Refusals)) return value
    const refusals = value instanceof Refusals ? value.all : [value]
    faults.push(...refusals.map(({ code, detail }) => fault(name, code, detail)))
    return undefined
  }
}

function parseText<T>(name: string, text: string, parse: (text: string) => T | Refusal | Refusals): T | Refusal | Refusals {
  if (!isStorable(text)) return new Refusal('invalid_text', `\`${name}\` holds a NUL character or a lone surrogate.`)
  if (text === '' && !searches.includes(name)) return new Refusal('empty', `\`${name}\` is empty; leave it out instead.`)
  return parse(text)
}

/** Refuses all parameters but these. */
export function refuseOtherParameters(params: QueryParams, known: readonly string[] = []): void {
  const faults = [...params.keys()].filter((name) => !known.includes(name)).map((name) => unknownParameter(name, known))
  const [first] = faults
  if (!first) return
  const detail = faults.length === 1 ? first.detail : `${faults.length} parameters are unknown.`
  throw new Problem('unknown_parameter', detail, { errors: faults })
}

/** What `work` reads from the parameters of a request that is not a list; 400 with the faults of all of them. */
export function readParameters<T>(params: QueryParams, work: (read: Read) => T): T {
  const faults: Fault[] = []
  const value = work(reader(params, faults))
  refuse(faults)
  return value
}

/** One boolean parameter of a request that is not a list; absent is false. */
export function readFlag(params: QueryParams, name: string): boolean {
  return readParameters(params, (read) => readBoolean(read, name)) ?? false
}

/** One text parameter of a request that is not a list. */
export function readText(params: QueryParams, name: string): string | undefined {
  return readParameters(params, (read) => read(name, (text) => text))
}

/** One whole number from 1 on as a parameter of a request that is not a list. */
export function readNumber(params: QueryParams, name: string, max: number): number | undefined {
  return readParameters(params, (read) => readInteger(read, name, max))
}

/** One version as a parameter of a request that is not a list. */
export function readVersion(params: QueryParams, name: string): number | undefined {
  return readNumber(params, name, maxVersion)
}

/** 400 `invalid_parameter` with every fault, if there are any. */
export function refuse(faults: readonly Fault[]): void {
  const first = faults[0]
  if (!first) return
  const detail = faults.length === 1 ? first.detail : `${faults.length} values in the query are not valid.`
  throw new Problem('invalid_parameter', detail, { errors: faults })
}

function unknownParameter(name: string, known: readonly string[]): Fault {
  const near = selecting.includes(name) ? undefined : closestName(name, known)
  const shown = cutToCodePoints(name, maxShownName)
  const hint = near ? `did you mean \`${near}\`?` : `the parameters here are ${known.join(', ')}.`
  return fault(shown, 'unknown', `There is no parameter \`${shown}\`${known.length === 0 ? ' here.' : `; ${hint}`}`)
}

/** The names in a value, between its commas. Refuses each one that is not known. */
export function readNames(parameter: string, text: string, known: readonly string[]): readonly string[] | Refusals {
  const names = text.split(',')
  const refusals = unknownNames(parameter, names, known)
  return refusals.length === 0 ? names : new Refusals(refusals)
}

/** Refusals of the first that are not known: a problem has no more errors than that. */
export function unknownNames(parameter: string, names: readonly string[], known: readonly string[]): readonly Refusal[] {
  const odd = new Set(names.filter((name) => !known.includes(name)))
  return [...odd].slice(0, maxErrors).map((name) => unknownName(parameter, name, known))
}

/** A refusal that suggests the nearest known name. */
function unknownName(parameter: string, name: string, known: readonly string[]): Refusal {
  const near = closestName(name, known)
  const shown = cutToCodePoints(name, maxShownName)
  return new Refusal(
    'not_allowed',
    `\`${parameter}\` does not know ${shown === '' ? 'an empty name' : shown}; ${near ? `did you mean ${near}?` : `it knows ${known.join(', ')}.`}`,
  )
}

/** One whole number from 1 to `max`. */
export function readInteger(read: Read, name: string, max: number): number | undefined {
  return read(name, (text) => {
    const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
    return value >= 1 && value <= max ? value : new Refusal('out_of_range', `\`${name}\` is a whole number from 1 to ${max}.`)
  })
}

export function readBoolean(read: Read, name: string): boolean | undefined {
  return read(name, (text) => {
    if (text === 'true') return true
    return text === 'false' ? false : new Refusal('not_allowed', `\`${name}\` is true or false.`)
  })
}

export function fault(parameter: string, code: string, detail: string): Fault {
  return { parameter, code, detail }
}
