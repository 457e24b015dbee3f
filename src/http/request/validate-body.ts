import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { validatorOf } from '../../actions/validation/validate.ts'
import type { Validated } from '../../actions/validation/validated.ts'

/** Makes a function that validates the body of a request. */
export function bodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Validated<Static<S>> {
  const check = validatorOf(schema)
  return (request) => check(request.body)
}

/** Like `bodyOf`, but a missing body is an empty object. */
export function optionalBodyOf<S extends TSchema>(schema: S): (request: FastifyRequest) => Validated<Static<S>> {
  const check = validatorOf(schema)
  return (request) => check(request.body === undefined ? {} : request.body)
}
