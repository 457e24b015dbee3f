import { createHash } from 'node:crypto'
import type { OpenApiDocument, OperationObject } from '../openapi/openapi-types.ts'
import { operationArticle } from './docs-operation.ts'
import { problemSection } from './docs-problems.ts'
import { shapes } from './docs-schema.ts'
import { docsStyle } from './docs-style.ts'
import { Html, html, inline, prose } from './html.ts'

/** What the page may load: its own style, and nothing else from anywhere. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The document as one page to read: no script, nothing from elsewhere. */
export function docsPage(document: OpenApiDocument): string {
  const { info } = document
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Verso ${info.version}: the interface</title>
<link rel="icon" href="data:,">
<style>${new Html(docsStyle)}</style>
</head>
<body>
<a class="skip" href="#start">To the text</a>
${navigation(document)}
<main>
${start(document)}
${keys(document)}
${document.tags.map((tag) => tagSection(document, tag))}
${headers(document)}
${problemSection(document.components.examples)}
${shapes(document.components.schemas)}
</main>
</body>
</html>
`
  return page.text
}

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

function operationsOf({ paths }: OpenApiDocument, tag: string): readonly Placed[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  return all.filter(({ operation }) => operation.tags.includes(tag))
}

function navigation(document: OpenApiDocument): Html {
  return html`<nav aria-label="Contents"><p><a href="#start"><strong>Verso</strong></a> <small>${document.info.version}</small></p>
<ul>
<li><a href="#start">Start</a></li>
<li><a href="#keys">Keys</a></li>
${document.tags.map(
  ({ name }) =>
    html`<li><a href="#tag-${name}">${name}</a><ul>${operationsOf(document, name).map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><b class="${method}">${method.toUpperCase()}</b> ${operation.summary}</a></li>`,
    )}</ul></li>`,
)}
<li><a href="#headers">Headers</a></li>
<li><a href="#problems">Problems</a></li>
<li><a href="#shapes">Shapes</a></li>
</ul></nav>`
}

function start({ info, servers }: OpenApiDocument): Html {
  const address = servers.find(({ url }) => url !== '/')?.url ?? 'http://127.0.0.1:4400'
  return html`<header id="start"><h1>Verso</h1><p class="lead">${info.summary}</p>${prose(info.description)}
<p>The lines on this page work in a shell that knows two resources:</p>
<pre tabindex="0"><code># Where it is, and an API key of yours.
VERSO=${address}
KEY=verso_live_…</code></pre>
<p>The same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p></header>`
}

function keys({ components }: OpenApiDocument): Html {
  return html`<section id="keys"><h2>Keys</h2>${Object.values(components.securitySchemes).map(({ description }) => prose(description))}
<p>Beside each operation stands the scope that it takes.</p></section>`
}

function tagSection(document: OpenApiDocument, { name, description }: OpenApiDocument['tags'][number]): Html {
  return html`<section id="tag-${name}"><h2><a href="#tag-${name}">${name}</a></h2><p class="lead">${inline(description)}</p>
${operationsOf(document, name).map(({ method, path, operation }) => operationArticle(document, method, path, operation))}
</section>`
}

function headers({ components }: OpenApiDocument): Html {
  const sent = Object.values(components.parameters).filter((each) => each.in === 'header')
  const answered = Object.entries(components.headers).filter(([name]) => !sent.some((each) => each.name === name))
  const all = [
    ...sent.map(({ name, description }) => [name, description, 'sent'] as const),
    ...answered.map(([name, { description }]) => [name, description, 'answered'] as const),
  ]
  return html`<section id="headers"><h2>Headers</h2><p>Every answer has <code>Cache-Control</code> and <code>X-Request-Id</code>. Answers to a key have <code>Vary</code>, and those to public keys <code>Access-Control-Allow-Origin</code>. What else an answer has stands beside it.</p><dl>${all.map(
    ([name, description, way]) =>
      html`<dt id="header-${name}"><code>${name}</code> <span>${way}</span></dt><dd>${inline(description)}</dd>`,
  )}</dl></section>`
}
