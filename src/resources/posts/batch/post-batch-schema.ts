import Type, { type Static, type TSchema } from 'typebox'
import { oneOf } from '../../../actions/validation/schema-types.ts'
import { Post, PostPatch } from '../post-schema.ts'

/** As many as one transaction does; the posts of one page. */
const maxOperations = 100
const operations = ['create', 'update', 'delete', 'restore'] as const

const IfMatch = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maxLength: 200,
  description: 'The version, or the ETag, that the post must have.',
  examples: [3],
})

function operationWith<B extends TSchema>(body: B) {
  return Type.Object(
    {
      op: oneOf(operations, { description: 'What is to be done.' }),
      id: Type.Optional(
        Type.String({ maxLength: 100, description: 'The id or slug of the post; to restore one, its id. None to create one.' }),
      ),
      ifMatch: Type.Optional(IfMatch),
      permanent: Type.Optional(Type.Boolean({ description: 'With `delete`: erase the post; needs `posts:delete`.' })),
      body: Type.Optional(body),
    },
    { additionalProperties: false },
  )
}

function batchOf<O extends TSchema>(operation: O, options: { readonly title?: string } = {}) {
  const atomic = Type.Boolean({ default: true, description: '`false`: what can be done is done, and each has an outcome of its own.' })
  const shape = { atomic: Type.Optional(atomic), operations: Type.Array(operation, { minItems: 1, maxItems: maxOperations }) }
  return Type.Object(shape, { ...options, additionalProperties: false })
}

/** Several writes of posts in one request. A `body` is what the request for that one post would have. */
export const PostBatch = batchOf(operationWith(PostPatch), { title: 'PostBatch' })

/** The same before the bodies are looked at, each for itself. */
export const BatchFrame = batchOf(operationWith(Type.Unknown()))
export type BatchFrame = Static<typeof BatchFrame>

const BatchProblem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String(),
    detail: Type.String(),
    errors: Type.Array(Type.Unknown()),
  },
  { title: 'BatchProblem', additionalProperties: true, description: 'What the problem document of this one operation would say.' },
)

const BatchResult = Type.Object(
  {
    op: oneOf(operations),
    status: Type.Integer({ description: 'What the request for this one post would have been answered.', examples: [201] }),
    post: Type.Optional(Post),
    problem: Type.Optional(BatchProblem),
  },
  { title: 'BatchResult' },
)

export const PostBatchResults = Type.Object(
  { results: Type.Array(BatchResult, { description: 'One for each operation, in their order.' }) },
  { title: 'PostBatchResults' },
)
export type PostBatchResults = Static<typeof PostBatchResults>
export type BatchResult = Static<typeof BatchResult>
