import Type, { type Static, type TSchema } from 'typebox'
import { problemFields } from '../../../actions/validation/problem-schema.ts'
import { oneOf } from '../../../actions/validation/schema-types.ts'
import { Post, PostPatch } from '../post-schema.ts'

/** Limits the length of one transaction. */
const maxOperations = 100
const operations = ['create', 'update', 'delete', 'restore'] as const

const IfMatch = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maxLength: 200,
  description: 'The version or ETag that the post must have.',
  examples: [3],
})

function operationWith<B extends TSchema>(body: B) {
  return Type.Object(
    {
      op: oneOf(operations, { description: 'The operation.' }),
      id: Type.Optional(
        Type.String({ maxLength: 100, description: 'The id or slug of the post; `restore` needs the id, `create` has none.' }),
      ),
      ifMatch: Type.Optional(IfMatch),
      permanent: Type.Optional(Type.Boolean({ description: 'With `delete`: erases the post; needs `posts:delete`.' })),
      body: Type.Optional(body),
    },
    { additionalProperties: false },
  )
}

function batchOf<O extends TSchema>(operation: O, options: { readonly title?: string; readonly description?: string } = {}) {
  // Without `default`: generators of types take a field that has one for required.
  const atomic = Type.Boolean({
    description:
      'Without it, or with `true`, one operation that fails undoes all. `false`: the others take effect; each has its own result.',
  })
  const shape = { atomic: Type.Optional(atomic), operations: Type.Array(operation, { minItems: 1, maxItems: maxOperations }) }
  return Type.Object(shape, { ...options, additionalProperties: false })
}

/** Several writes of posts in one request. Each `body` is the body of the request for that post alone. */
export const PostBatch = batchOf(operationWith(PostPatch), {
  title: 'PostBatch',
  description: 'The operations, in order. The `body` of each is the body of the single request.',
})

/** The same with unchecked bodies: each is validated by itself. */
export const BatchFrame = batchOf(operationWith(Type.Unknown()))
export type BatchFrame = Static<typeof BatchFrame>

const BatchProblem = Type.Object(problemFields, {
  title: 'BatchProblem',
  description: 'The problem document of this operation, without what the whole response says.',
})

const BatchResult = Type.Object(
  {
    op: oneOf(operations),
    status: Type.Integer({
      minimum: 200,
      maximum: 599,
      description: 'The status that the single request would have had.',
      examples: [201],
    }),
    post: Type.Optional(Post),
    problem: Type.Optional(BatchProblem),
  },
  { title: 'BatchResult' },
)

export const PostBatchResults = Type.Object(
  { results: Type.Array(BatchResult, { maxItems: maxOperations, description: 'One for each operation, in the same order.' }) },
  { title: 'PostBatchResults' },
)
export type PostBatchResults = Static<typeof PostBatchResults>
export type BatchResult = Static<typeof BatchResult>
