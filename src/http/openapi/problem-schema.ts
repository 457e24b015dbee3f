import Type, { type TSchema } from 'typebox'
import { oneOf } from '../../actions/validation/schema-types.ts'
import { type ProblemCode, problems } from '../../values/problems.ts'

const codes = Object.keys(problems) as ProblemCode[]

const Fault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: 'Where it is in the body (RFC 6901).', examples: ['/title'] })),
    parameter: Type.Optional(Type.String({ description: 'Which parameter of the query it is.', examples: ['sort'] })),
    code: Type.String({ description: 'What is wrong, for programs.', examples: ['required'] }),
    detail: Type.String({ description: 'The same for people.' }),
  },
  { title: 'Fault', description: 'One fault: in the body (`pointer`) or in the query (`parameter`).' },
)

/** The document that answers everything that goes wrong (RFC 9457): the shape of `toProblemBody`. */
export const ProblemDocument: TSchema = Type.Object(
  {
    type: Type.String({ description: 'The code as a URN.', examples: ['urn:verso:problem:not_found'] }),
    title: Type.String({ description: 'The kind of problem; the same for every problem of a code.' }),
    status: Type.Integer({ description: 'The status of the answer.' }),
    code: oneOf(codes, { description: 'The kind of problem, for programs.' }),
    detail: Type.String({ description: 'What is wrong this time, for people.' }),
    instance: Type.String({ description: 'The path that was asked for.' }),
    requestId: Type.String({ description: 'The id of the request, which the log knows too.' }),
    errors: Type.Array(Fault, { description: 'Every fault; empty where `detail` says all.' }),
    scope: Type.Optional(Type.String({ description: 'With `insufficient_scope`: the scope that is missing.' })),
    suggestion: Type.Optional(Type.String({ description: 'With `slug_conflict`: a slug that is free.' })),
    operation: Type.Optional(
      Type.Integer({ description: 'Of a batch: the number of the operation that cannot be done, the first being 0.' }),
    ),
    version: Type.Optional(Type.Integer({ description: 'With `stale_version`: the present version.' })),
  },
  { title: 'Problem', description: 'What went wrong (RFC 9457).' },
)
