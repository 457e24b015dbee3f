import type { Route } from '../route-config.ts'
import { aboutKeys, aboutVerso } from './api-description.ts'
import { collectSchemas, type SchemaCollection } from './component-schemas.ts'
import { curlLine, type Examples, pathSamples } from './documented-examples.ts'
import { answerHeaders } from './documented-headers.ts'
import { parametersOf, sharedParameters } from './documented-parameters.ts'
import { collectProblemAnswers, type ProblemAnswers, problemsOf } from './documented-problems.ts'
import { answersOf } from './documented-responses.ts'
import type { Example, OpenApiDocument, OperationObject, PathItem } from './openapi-types.ts'
import type { Operation } from './operation.ts'
import { type DocumentedRoute, toDocumentedRoute } from './route-collector.ts'

/** What a document says beside its operations. */
interface About {
  readonly version: string
  /** Where the service stands for the outside, if that is known. */
  readonly publicUrl: URL | undefined
  readonly examples: Examples
}

interface Parts {
  readonly schemas: SchemaCollection
  readonly problems: ProblemAnswers
  readonly examples: Examples
}

const mergePatch = 'application/merge-patch+json'

/** Makes the OpenAPI 3.1 document of these routes: the same routes, the same document. */
export function toOpenApi(declared: readonly Route[], { version, publicUrl, examples }: About): OpenApiDocument {
  const routes = declared.map(toDocumentedRoute)
  const schemas = collectSchemas()
  const problems = collectProblemAnswers(schemas.refer, examples.problems)
  const paths = toPaths(routes, { schemas, problems, examples })
  const used = new Set(routes.map(({ operation }) => operation.tag))
  return {
    openapi: '3.1.0',
    info: { title: 'Verso', version, ...aboutVerso, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl?.href.replace(/\/+$/, '') ?? '/' }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'verso_live_… or verso_pub_…', description: aboutKeys } },
      parameters: sharedParameters,
      headers: answerHeaders,
      schemas: schemas.all(),
      responses: problems.all(),
      examples: problemExamples(examples),
    },
  }
}

const tags: readonly { readonly name: Operation['tag']; readonly description: string }[] = [
  { name: 'Posts', description: 'Articles in Markdown, from draft to archive.' },
  { name: 'Authors', description: 'The people who write posts.' },
  { name: 'Categories', description: 'What posts are filed under; a post has one at most.' },
  { name: 'Tags', description: 'What posts are about. A tag comes into being by being named on a post.' },
  { name: 'Media', description: 'Pictures that lie elsewhere, registered by their address.' },
  { name: 'Changes', description: 'What has changed, for those who keep a copy: a site that is built, a search index.' },
  { name: 'Administration', description: 'For those who run a project: keys with the scope `admin`.' },
  { name: 'Service', description: 'The service itself. None of this needs a key.' },
]

function toPaths(routes: readonly DocumentedRoute[], parts: Parts): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: toOperation(route, parts) }
  }
  return paths
}

function toOperation(route: DocumentedRoute, { schemas, problems, examples }: Parts): OperationObject {
  const { id, tag, summary, description } = route.operation
  const exchange = examples.operations[id]
  const answers = answersOf(route, schemas.refer, exchange ? { [exchange.status]: exchange.answer } : {})
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: route.access === 'open' ? [] : [{ apiKey: route.scope ? [route.scope] : [] }],
    parameters: parametersOf(route, exchange ? pathSamples(route.url, exchange.path) : {}),
    ...requestBody(route, schemas, exchange?.body),
    responses: { ...problems.refer(problemsOf(route)), ...answers },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlLine(route, exchange) }],
  }
}

function requestBody({ method, body, operation }: DocumentedRoute, schemas: SchemaCollection, sample: unknown) {
  if (!operation.body) return {}
  const media = { schema: schemas.refer(operation.body), ...(sample !== undefined && { example: sample }) }
  const content = { 'application/json': media, ...(method === 'patch' && { [mergePatch]: media }) }
  return { requestBody: { required: body === 'required', content } }
}

function problemExamples({ problems }: Examples): Readonly<Record<string, Example>> {
  return Object.fromEntries(Object.entries(problems).map(([code, value]) => [code, { summary: code, value }]))
}
