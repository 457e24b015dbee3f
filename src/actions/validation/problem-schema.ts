import Type from 'typebox'
import { maxErrors, type ProblemCode, problems } from '../../values/problems.ts'
import { scopes } from '../caller.ts'
import { idSchema, oneOf, Slug } from './schema-types.ts'

const allCodes = Object.keys(problems) as ProblemCode[]

const Fault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: 'The place in the body (RFC 6901).', examples: ['/title'] })),
    parameter: Type.Optional(Type.String({ description: 'The parameter of the query.', examples: ['sort'] })),
    code: Type.String({ pattern: '^[a-z_]+$', maxLength: 40, description: 'What is wrong, for programs.', examples: ['required'] }),
    detail: Type.String({ description: 'What is wrong, for people.' }),
  },
  { title: 'Fault', description: 'One fault in the body (`pointer`) or in the query (`parameter`).' },
)

const Conflict = Type.Object(
  {
    field: Type.String({
      maxLength: 40,
      description: 'The name of the field; those of `seo` with a dot.',
      examples: ['title', 'seo.title'],
    }),
    post: Type.Unknown({ description: 'Its value in the post.' }),
    pending: Type.Unknown({ description: 'Its value in the pending edit.' }),
  },
  { title: 'FieldConflict' },
)

/** The fields of a problem document (RFC 9457), without those of the request. */
export const problemFields = {
  type: Type.String({
    pattern: '^urn:verso:problem:[a-z_]+$',
    maxLength: 60,
    description: 'The code as a URN.',
    examples: ['urn:verso:problem:not_found'],
  }),
  title: Type.String({ maxLength: 100, description: 'The kind of problem; the same for every problem with this code.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The status of the response.' }),
  code: oneOf(allCodes, { description: 'The kind of problem, for programs.' }),
  detail: Type.String({ description: 'What is wrong this time, for people.' }),
  errors: Type.Array(Fault, { maxItems: maxErrors, description: 'Every fault, 100 at most; empty if `detail` says everything.' }),
  scope: Type.Optional(oneOf(scopes, { description: 'With `insufficient_scope`: the scope that is missing.' })),
  suggestion: Type.Optional(
    Type.String({ pattern: Slug.pattern, maxLength: Slug.maxLength, description: 'With `slug_conflict`: a free slug.' }),
  ),
  postId: Type.Optional({ ...idSchema('post'), description: 'With `alias_conflict`: the post that has the alias.' }),
  operation: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 99, description: 'In a batch: the index of the operation that failed, from 0.' }),
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'With `stale_version`: the current version. With `pending_conflict`: that of the post.' }),
  ),
  conflicts: Type.Optional(
    Type.Array(Conflict, { maxItems: 12, description: 'With `pending_conflict`: the fields that both sides have changed.' }),
  ),
}
