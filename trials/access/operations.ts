import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { describeApi } from '../../src/app/routes.ts'

/** A parameter of a path or a query. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: OpenApi.SchemaObject
}

/** An operation of the API, as the running program describes it. */
export interface ApiOperation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** An example of its body, or none. */
  readonly body: unknown
}

const all = operationsOf(describeApi() as unknown as OpenApi.Document)
const takesNoKey = ({ path }: ApiOperation) => path.startsWith('/v1/feeds/')

/** Every operation under `/v1` that takes a key. A new route is among them without a line here. */
export const operations = all.filter((operation) => !takesNoKey(operation))
/** Those that everyone may ask. */
export const publicOperations = all.filter(takesNoKey)

function operationsOf({ paths = {}, components = {} }: OpenApi.Document): readonly ApiOperation[] {
  const parameterOf = (found: OpenApi.ReferenceObject | OpenApi.ParameterObject) =>
    ('$ref' in found ? components.parameters?.[found.$ref.split('/').at(-1) ?? ''] : found) as OpenApi.ParameterObject
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {})
      .filter(([method]) => path.startsWith('/v1/') && ['get', 'post', 'patch', 'put', 'delete'].includes(method))
      .map(([method, described]) => {
        const operation = described as OpenApi.OperationObject
        const parameters = (operation.parameters ?? []).map(parameterOf).filter((each) => each.in === 'path' || each.in === 'query')
        return {
          id: operation.operationId ?? '',
          method: method.toUpperCase(),
          path,
          parameters: parameters.map((each) => ({ name: each.name, in: each.in, schema: each.schema ?? {} }) as Parameter),
          body: exampleOf(operation),
        }
      }),
  )
}

function exampleOf({ requestBody }: OpenApi.OperationObject): unknown {
  const media = requestBody && 'content' in requestBody ? Object.values(requestBody.content)[0] : undefined
  return media?.example
}
