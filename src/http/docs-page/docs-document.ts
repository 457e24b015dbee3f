import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { DocumentedOperation, OpenApiDocument } from '../openapi/openapi-document.ts'

/** The headers of responses that clients use; all others are in `/openapi.json`. */
const shownHeaders = ['ETag', 'Link', 'Location', 'Idempotency-Replayed', 'Retry-After']

/**
 * The document as the page shows it. Swagger UI fills forms with the examples of parameters, so that a first request would use every filter
 * at once, and shows the whole example of each problem: here are no such examples, and a problem is its description. HEAD is left out: the page
 * would be twice as long.
 */
export function docsDocument(document: OpenApiDocument) {
  const { components, info, paths } = document
  return {
    ...document,
    info: { ...info, description: `${info.description}\n\nThis page as OpenAPI: [openapi.json](openapi.json).` },
    paths: mapValues(paths, ({ head: _, ...item }) => mapValues(item, toShownOperation)),
    components: {
      ...components,
      parameters: mapValues(components.parameters, withoutExample),
      responses: mapValues(components.responses, ({ description }) => ({ description })),
    },
  }
}

function toShownOperation(operation: DocumentedOperation): DocumentedOperation {
  const { parameters, responses } = operation
  return {
    ...operation,
    parameters: parameters.map((each) => ('$ref' in each ? each : withoutExample(each))),
    responses: mapValues(responses, toShownResponse),
  }
}

function withoutExample(parameter: OpenApi.ParameterObject): OpenApi.ParameterObject {
  const { example: _, ...shown } = parameter
  return parameter.required ? parameter : shown
}

function toShownResponse(response: OpenApi.ResponseObject | OpenApi.ReferenceObject): OpenApi.ResponseObject | OpenApi.ReferenceObject {
  if ('$ref' in response) return response
  const headers = Object.entries(response.headers ?? {}).filter(([name]) => shownHeaders.includes(name))
  return { ...response, headers: Object.fromEntries(headers) }
}

function mapValues<V, W>(values: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
