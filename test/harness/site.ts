import { operator } from '../../src/actions/caller.ts'
import type { ProjectSettings } from '../../src/resources/projects/project.ts'
import { editProject } from '../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import type { TestApp } from './harness.ts'

/** What `verso project edit` does. */
export async function describeSite({ app, context }: TestApp, edits: Partial<ProjectSettings>): Promise<void> {
  const caller = operator('prj_command', 'cli', toInstant(context.now()))
  await app.installation.perform(editProject, caller, { slug: 'default', edits })
}

/** A project that has a permalink, and perhaps a site URL, from a version that did not refuse them. */
export async function inheritSite({ app }: TestApp, settings: { readonly permalink: string; readonly site_url?: string }): Promise<void> {
  await app.installation.engine.write((tx) => tx.updateTable('projects').set(settings).execute())
}
