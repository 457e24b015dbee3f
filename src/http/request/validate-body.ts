import type { FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { validatorOf } from '../../actions/validation/validate.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'

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

const checkEmpty = optionalBodyOf(Type.Object({}, { additionalProperties: false }))

/** 422 for the body of a request that takes none, unless it is an empty object. */
export function requireNoBody(request: FastifyRequest): void {
  accepted(checkEmpty(request))
}
