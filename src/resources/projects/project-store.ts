import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { InstallationTable, ProjectTable } from '../../database/tables.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Project } from './project.ts'

export async function findProject(db: Db, slug: string): Promise<Project | undefined> {
  const row = await db.selectFrom('projects').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && toProject(row)
}

export async function findProjectById(db: Db, id: ProjectId): Promise<Project> {
  return toProject(await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

export async function listProjects(db: Db): Promise<readonly Project[]> {
  const rows = await db.selectFrom('projects').selectAll().orderBy('slug').execute()
  return rows.map(toProject)
}

/** False if another project has the slug. */
export async function insertProject(tx: Tx, project: Project): Promise<boolean> {
  const inserted = await tx
    .insertInto('projects')
    .values(toRow(project))
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return false
  await tx.insertInto('project_state').values({ project_id: project.id, revision: 0, public_revision: 0 }).execute()
  return true
}

export async function saveProject(tx: Tx, project: Project): Promise<void> {
  const { id, created_at, ...changing } = toRow(project)
  await tx.updateTable('projects').set(changing).where('id', '=', id).execute()
}

function toProject(row: Selectable<ProjectTable>): Project {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    siteUrl: row.site_url,
    permalink: row.permalink,
    feedContent: row.feed_content,
    feedUrl: row.feed_url,
    notes: row.notes,
    timeZone: row.time_zone,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRow({ siteUrl, feedContent, feedUrl, timeZone, createdAt, updatedAt, ...project }: Project) {
  const site = { site_url: siteUrl, feed_content: feedContent, feed_url: feedUrl, time_zone: timeZone }
  return withHash('projects', { ...site, created_at: createdAt, updated_at: updatedAt, ...project })
}

/** Reads one row, however many projects there are: enough to see whether the database answers. */
export async function findAnyProject(db: Db): Promise<Pick<ProjectTable, 'id'> | undefined> {
  return db.selectFrom('projects').select('id').limit(1).executeTakeFirst()
}

export async function findInstallation(db: Db): Promise<Selectable<InstallationTable> | undefined> {
  return db.selectFrom('installation').selectAll().executeTakeFirst()
}

export async function insertInstallation(tx: Tx, epoch: string, now: Instant): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ id: 1, epoch, created_at: now, state: 'open', move: null, moved_to: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
