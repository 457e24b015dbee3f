import type { JsonSchema, OpenApiDocument, OperationObject, Parameter, Response } from '../openapi/openapi-types.ts'
import { fields, parameter, shapeLink } from './docs-schema.ts'
import { type Html, html, inline, json, prose } from './html.ts'

/** Headers that are said once for all, in a section of their own. */
const everywhere = ['Cache-Control', 'Vary', 'Access-Control-Allow-Origin', 'X-Request-Id']

/** One operation: what it does and takes on one side, a request and its answer on the other. */
export function operationArticle(document: OpenApiDocument, method: string, path: string, operation: OperationObject): Html {
  const { operationId, summary, description } = operation
  return html`<article id="${operationId}">
<div>
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> ${access(operation)}</p>
${description === undefined ? undefined : prose(description)}
${parameters(document, operation)}
${body(document, operation)}
${answers(document, operation)}
</div>
<aside>${sample(document, operation)}</aside>
</article>`
}

/** Where a `$ref` leads, and the resource itself where it is none. */
function parameterOf({ components }: OpenApiDocument, each: OperationObject['parameters'][number]): Parameter | undefined {
  return '$ref' in each ? components.parameters[nameOf(each.$ref)] : each
}

function responsesOf({ components }: OpenApiDocument, { responses }: OperationObject): readonly (readonly [string, Response])[] {
  return Object.entries(responses).flatMap(([status, each]) => {
    const response = '$ref' in each ? components.responses[nameOf(each.$ref)] : each
    return response ? [[status, response] as const] : []
  })
}

function access({ security }: OperationObject): Html {
  const [scheme] = security
  if (!scheme) return html`<span class="scope">no key</span>`
  const scopes = scheme.apiKey ?? []
  return html`<span class="scope">${scopes.length > 0 ? scopes.join(' ') : 'a key'}</span>`
}

function parameters(document: OpenApiDocument, operation: OperationObject): Html | undefined {
  const all = operation.parameters.map((each) => parameterOf(document, each)).filter((each) => each !== undefined)
  const shown = all.filter((each) => each.in !== 'header')
  const headers = all.filter((each) => each.in === 'header' && !everywhere.includes(each.name)).map(({ name }) => name)
  const list = shown.length > 0 ? html`<h4>Parameters</h4><dl>${shown.map(parameter)}</dl>` : undefined
  return html`${list}${headers.length > 0 ? html`<p class="quiet">Heeds ${headerLinks(headers)}</p>` : undefined}`
}

function body({ components }: OpenApiDocument, { requestBody }: OperationObject): Html | undefined {
  if (!requestBody) return undefined
  const types = Object.keys(requestBody.content)
  const schema = Object.values(requestBody.content)[0]?.schema ?? {}
  const shape = components.schemas[nameOf(schema.$ref ?? '')] ?? schema
  return html`<h4>Body</h4><p>${shapeLink(schema)}${requestBody.required ? '' : ', which may be left out'}, as ${types.map((type, i) => html`${i > 0 ? ' or ' : ''}<code>${type}</code>`)}</p>
<details><summary>Its fields</summary>${fields(shape)}</details>`
}

function answers(document: OpenApiDocument, operation: OperationObject): Html {
  const all = responsesOf(document, operation)
  const good = all.filter(([, { content = {} }]) => !('application/problem+json' in content))
  const problems = all.map(([status, response]) => [status, codesOf(response)] as const).filter(([, codes]) => codes.length > 0)
  return html`<h4>Answers</h4><ul class="answers">${good.map(([status, response]) => html`<li><b>${status}</b> ${inline(response.description)} ${shapeOf(response)} ${withHeaders(response)}</li>`)}</ul>
<h4>Problems</h4><ul class="problems">${problems.map(([status, codes]) => html`<li><b>${status}</b> ${codes.map((code) => html`<a href="#problem-${code}">${code}</a> `)}</li>`)}</ul>`
}

function withHeaders({ headers }: Response): Html | undefined {
  const telling = Object.keys(headers).filter((name) => !everywhere.includes(name))
  return telling.length > 0 ? html`<small>with ${headerLinks(telling)}</small>` : undefined
}

function shapeOf({ content = {} }: Response): Html | undefined {
  const [media] = Object.values(content)
  return media?.schema.$ref === undefined ? undefined : shapeLink(media.schema)
}

/** The problems that an answer may be; none where it is none. */
function codesOf({ content = {} }: Response): readonly string[] {
  const parts: readonly JsonSchema[] = content['application/problem+json']?.schema.allOf ?? []
  return parts.flatMap(({ properties }) => properties?.code?.enum ?? []).map(String)
}

function headerLinks(names: readonly string[]): Html {
  return html`${names.map((name, i) => html`${i > 0 ? ', ' : ''}<a href="#header-${name}">${name}</a>`)}`
}

function sample(document: OpenApiDocument, operation: OperationObject): Html {
  const request = operation['x-codeSamples']?.map(({ source }) => html`<pre tabindex="0"><code>${source}</code></pre>`)
  const shown = responsesOf(document, operation).flatMap(([status, { content = {} }]) => {
    const example = content['application/json']?.example
    return example === undefined
      ? []
      : [html`<details open><summary>${status}</summary><pre tabindex="0"><code>${json(example)}</code></pre></details>`]
  })
  return html`${request}${shown}`
}

function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}
