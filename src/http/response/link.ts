import { toCursor } from '../../lists/cursor.ts'
import type { ListPlan, QueryParams } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import { formatQuery } from '../request/query.ts'

/** The ways from this page to others (RFC 8288): first, prev, next and last by page; first and next by cursor. */
export function linkHeader(path: string, params: QueryParams, plan: ListPlan, page: Page<unknown>): string {
  const to = (relation: string, changes: Readonly<Record<string, string | undefined>>) =>
    `<${path}${formatQuery(changed(params, changes))}>; rel="${relation}"`
  const { position, limit, fingerprint } = plan
  if (position.kind === 'cursor') {
    const next = page.hasMore && page.last ? [to('next', { cursor: toCursor(fingerprint, page.last) })] : []
    return [to('first', { cursor: undefined }), ...next].join(', ')
  }
  const links = [to('first', { page: '1' })]
  if (position.page > 1) links.push(to('prev', { page: String(position.page - 1) }))
  if (page.hasMore) links.push(to('next', { page: String(position.page + 1) }))
  if (page.total !== undefined) links.push(to('last', { page: String(Math.max(1, Math.ceil(page.total / limit))) }))
  return links.join(', ')
}

function changed(params: QueryParams, changes: Readonly<Record<string, string | undefined>>): QueryParams {
  const result = new Map(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) result.delete(name)
    else result.set(name, [value])
  }
  return result
}
