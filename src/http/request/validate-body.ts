import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { validatorOf } from '../../actions/validation/validate.ts'
import type { Validated } from '../../actions/validation/validated.ts'

/** Makes the check of a request's body against its schema. */
export function bodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Validated<Static<S>> {
  const check = validatorOf(schema)
  return (request) => check(request.body)
}

/** The same for a request that may come without a body, which is then an empty object. */
export function optionalBodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Validated<Static<S>> {
  const check = validatorOf(schema)
  return (request) => check(request.body === undefined ? {} : request.body)
}
