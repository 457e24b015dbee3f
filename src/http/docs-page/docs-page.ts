import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { docsDocument } from './docs-document.ts'

/** What the page may load: files of this service. Swagger UI's style sheet has icons as `data:`, and requests are tried against this service alone. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page at `/docs` and the two files that it loads. */
interface DocsPage {
  readonly html: string
  readonly script: string
  readonly style: string
  /** A hash of both files. It is part of their addresses, so that they can be cached for ever. */
  readonly version: string
}

/** Makes the page of Swagger UI, whose files come from its package. */
export async function makeDocsPage(document: OpenApiDocument): Promise<DocsPage> {
  const { resolve } = createRequire(import.meta.url)
  const fromPackage = (name: string) => readFile(resolve(`swagger-ui-dist/${name}`), 'utf8')
  const script = `${withoutSourceMap(await fromPackage('swagger-ui-bundle.js'))}\n${startScript(document)}`
  const style = `${withoutSourceMap(await fromPackage('swagger-ui.css'))}\n${ownStyle}`
  const version = createHash('sha256').update(script).update(style).digest('hex').slice(0, 16)
  return { html: html(version), script, style, version }
}

/** Addresses are relative, since a proxy may serve everything under another path. */
function html(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verso API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/${version}/docs.css">
<script src="docs/${version}/docs.js" defer></script>
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The same as OpenAPI: <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`
}

function startScript(document: OpenApiDocument): string {
  const settings = {
    dom_id: '#docs',
    spec: docsDocument(document),
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  }
  return `document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)
SwaggerUIBundle(${JSON.stringify(settings)})`
}

/** Without the column of links, of which there are none, nothing is wider than a phone's screen. */
const ownStyle = `
body { margin: 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .renderedMarkdown { overflow-wrap: anywhere; }
`

/** The package's maps are not served. */
function withoutSourceMap(text: string): string {
  const lastLine = text.trimEnd().lastIndexOf('\n')
  return /^\n(?:\/\/|\/\*)# sourceMappingURL=/.test(text.slice(lastLine)) ? text.slice(0, lastLine) : text
}
