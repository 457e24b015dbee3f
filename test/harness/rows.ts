import type { App } from '../../src/app/start-app.ts'
import type { Tables } from '../../src/database/tables.ts'
import type { TestApp } from './harness.ts'

const tables = [
  'projects',
  'api_keys',
  'authors',
  'categories',
  'tags',
  'posts',
  'contents',
  'post_tags',
  'post_aliases',
  'old_slugs',
  'post_revisions',
  'media',
  'changes',
  'sources',
  'stored_responses',
  'webhooks',
  'webhook_deliveries',
  'preview_tokens',
  'pending_edits',
] as const satisfies readonly (keyof Tables)[]

/** The number of rows in every table, to see whether anything was written. */
export async function rowCounts({ installation: { db } }: App): Promise<Readonly<Record<(typeof tables)[number], number>>> {
  const count = async (table: (typeof tables)[number]) => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow()
    return [table, Number(row.total)] as const
  }
  const counts: Record<string, number> = {}
  for (const [table, total] of await Promise.all(tables.map(count))) counts[table] = total
  return counts as Record<(typeof tables)[number], number>
}

/** The changes of one resource in the log, in order: news, version, and who could see it before and after. */
export async function logOf(verso: TestApp, id: string) {
  const rows = await verso.app.installation.db
    .selectFrom('changes')
    .selectAll()
    .where('project_id', '=', verso.projectId)
    .orderBy('seq')
    .execute()
  return rows.filter((row) => row.resource_id === id).map((row) => [row.news, row.version, row.public_before, row.public_after])
}
