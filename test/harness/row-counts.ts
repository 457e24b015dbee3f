import type { App } from '../../src/app/start-app.ts'
import type { Tables } from '../../src/database/tables.ts'

const tables = [
  'projects',
  'api_keys',
  'authors',
  'categories',
  'tags',
  'posts',
  'contents',
  'post_tags',
  'old_slugs',
  'post_revisions',
  'media',
  'changes',
  'sources',
  'stored_responses',
  'webhooks',
  'webhook_deliveries',
  'preview_tokens',
] as const satisfies readonly (keyof Tables)[]

/** How many rows every table has: what tells whether anything was written. */
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
