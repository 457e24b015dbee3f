import type { OpenApiDocument } from './openapi-types.ts'
export const docsPolicy = "default-src 'none'"
export function docsPage(document: OpenApiDocument): string {
  return document.info.title
}
