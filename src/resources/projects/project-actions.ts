import { isDeepStrictEqual } from 'node:util'
import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { lockProject, recordChange } from '../../actions/change-log/change-log-store.ts'
import { accepted, isFaulty, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import { type Fault, notFound, Problem, refuseFaults } from '../../values/problems.ts'
import type { KeyKind } from './keys/api-key.ts'
import { createKey } from './keys/key-actions.ts'
import { defaultSettings, type Project, type ProjectSettings, projectFaults } from './project.ts'
import type { ProjectPatch } from './project-schema.ts'
import { findProject, findProjectById, insertInstallation, insertProject, listProjects, saveProject } from './project-store.ts'

type NewProject = Pick<ProjectSettings, 'slug' | 'name'> & Partial<ProjectSettings>

/** Creates the caller's project. Only here does a caller exist before its project. */
export const createProject: Action<NewProject, Project> = {
  name: 'projects.create',
  async run(tx, caller, asked) {
    const settings = { ...defaultSettings, ...trimmed(asked) }
    refuseFaults(projectFaults(settings))
    const project: Project = { id: caller.projectId, ...settings, createdAt: caller.now, updatedAt: caller.now }
    if (!(await insertProject(tx, project))) throw new Problem('slug_conflict', `There is a project ${settings.slug} already.`)
    return project
  },
}

/** For the operator, who names any project. */
export const editProject: Action<{ readonly slug: string; readonly edits: ProjectEdits }, Project> = {
  name: 'projects.edit',
  async run(tx, caller, { slug, edits: sent }) {
    const edits = trimmed(sent)
    const found = await findProject(tx, slug)
    if (!found) throw notFound('project')
    const project = await lockedProject(tx, found.id)
    refuseFaults(projectFaults({ ...project, ...edits }, project))
    return changeProject(tx, caller, project, edits)
  },
}

/** Changes the settings of the caller's project by a merge patch (RFC 7396). */
export const changeSettings: Action<{ readonly body: Validated<ProjectPatch> }, Project> = {
  name: 'projects.change-settings',
  async run(tx, caller, { body }) {
    const project = await lockedProject(tx, caller.projectId)
    const edits = trimmed(readable(body))
    const faults = projectFaults({ ...project, ...edits }, project).filter((fault) => !isFaulty(body, fieldOf(fault)))
    accepted(body, faults)
    return changeProject(tx, caller, project, edits)
  },
}

/** The settings with the name as it is stored. */
function trimmed<S extends Partial<ProjectSettings>>(settings: S): S {
  return settings.name === undefined ? settings : { ...settings, name: settings.name.trim() }
}

/** Locked, so that of two changes at the same time neither writes over the other. */
async function lockedProject(tx: Tx, id: ProjectId): Promise<Project> {
  await lockProject(tx, id)
  return findProjectById(tx, id)
}

type ProjectEdits = Partial<Omit<ProjectSettings, 'slug'>>

/** A change of settings is in the log, since URLs and feeds depend on it (docs/decisions/0047). An edit that changes nothing is none. */
async function changeProject(tx: Tx, caller: Caller, project: Project, edits: ProjectEdits): Promise<Project> {
  const edited = { ...project, ...edits }
  if (isDeepStrictEqual(edited, project)) return project
  const saved = { ...edited, updatedAt: caller.now }
  await saveProject(tx, saved)
  const { id } = project
  // Nothing public depends on the notes.
  const isPublic = !isDeepStrictEqual({ ...edited, notes: project.notes }, project)
  const whole = { publicBefore: isPublic, publicAfter: isPublic }
  await recordChange(tx, { ...caller, projectId: id }, { kind: 'project', id, version: 1, news: [], ...whole })
  return saved
}

const fieldOf = (fault: Fault) => ('pointer' in fault ? fault.pointer.slice(1) : '')

/** Stores the epoch of a new database. A database that has one keeps it. */
export const begin: Action<{ readonly epoch: string }, void> = {
  name: 'installation.begin',
  async run(tx, caller, { epoch }) {
    await insertInstallation(tx, epoch, caller.now)
  },
}

/** The tokens of a new installation, shown only once. */
export interface FirstKeys {
  readonly secret: string
  readonly public: string
}

/**
 * Creates the first project and its two keys in one transaction. Returns nothing if a project exists. If several nodes start together, one
 * of them creates the project and shows the keys.
 */
export const foundInstallation: Action<null, FirstKeys | undefined> = {
  name: 'installation.found',
  async run(tx, caller, _, random) {
    if ((await listProjects(tx)).length > 0) return undefined
    const { projectId: id, now } = caller
    const first: Project = { id, slug: 'default', name: 'Default', ...defaultSettings, createdAt: now, updatedAt: now }
    if (!(await insertProject(tx, first))) return undefined
    const make = async (kind: KeyKind) => {
      const value = { name: `first ${kind} key`, kind }
      return (await createKey.run(tx, caller, { body: { ok: true, value } }, random)).token
    }
    return { secret: await make('secret'), public: await make('public') }
  },
}
