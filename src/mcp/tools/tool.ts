import Type, { type Static, type TSchema } from 'typebox'
import type { Scope } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import type { Agent, Answer } from '../agent.ts'
import { Refusal } from '../api.ts'

/** What an agent can call. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** Offered to keys that have all of these. */
  readonly scopes: readonly Scope[]
  /** And one of these, where there are any. */
  readonly anyScope: readonly Scope[]
  readonly writes: boolean
  /** JSON Schema of its arguments. */
  readonly schema: TSchema
  call(agent: Agent, args: unknown): Promise<Answer>
}

interface ToolParts<S extends TSchema> {
  readonly name: string
  readonly description: string
  readonly scopes?: readonly Scope[]
  readonly anyScope?: readonly Scope[]
  readonly writes?: boolean
  readonly args: S
  run(agent: Agent, args: Static<S>): Promise<Answer>
}

export function tool<S extends TSchema>({ name, description, scopes = [], anyScope = [], writes = false, args, run }: ToolParts<S>): Tool {
  const validate = validatorOf(args)
  return {
    name,
    description,
    scopes,
    anyScope,
    writes,
    schema: args,
    async call(agent, given) {
      const checked = validate(given)
      if (checked.ok) return run(agent, checked.value)
      const faults = checked.faults.slice(0, 10).map(({ detail }) => `- ${detail.slice(0, 300)}`)
      throw new Refusal(
        [`These arguments of ${name} are wrong; nothing was done.`, ...faults, 'Correct them and call the tool again.'].join('\n'),
      )
    },
  }
}

/** The arguments of a tool; no others are accepted. */
export function argsOf<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export function said(description: string, options: Record<string, unknown> = {}) {
  return Type.String({ description, ...options })
}

/** Arguments that several tools have. */
export const postArg = said('Id or slug', { maxLength: 100 })
export const versionArg = said('The version that you read, such as v7 or v7.p2', { maxLength: 40 })
export const cursorArg = Type.Optional(said('From the answer before', { maxLength: 8_192 }))
export const maxTokensArg = Type.Optional(Type.Integer({ minimum: 200, maximum: 8_000, description: 'Default 2000' }))
