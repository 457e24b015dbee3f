import { computed, signal } from '@preact/signals'
import type { Role } from '../api/session.ts'
import { type Membership, session } from '../api/session.ts'
import { apiOf, type ProjectApi } from '../api/verso.ts'
import { address, pathTo } from './router.ts'

/** The project that the address names; none where it names none, or one that the person does not belong to. */
export const project = computed<Membership | undefined>(() => {
  const [first, slug] = address.value.parts
  return first === 'in' ? session.value?.projects.find((each) => each.slug === slug) : undefined
})

/** What the person may do in the project. Empty until it is known. */
export const access = signal<{ readonly projectId: string; readonly scopes: readonly string[]; readonly role: Role } | undefined>(undefined)

/** Whether the person has a scope here. What they cannot do is not offered; the API decides. */
export function can(scope: string): boolean {
  return access.value !== undefined && access.value.projectId === project.value?.id && access.value.scopes.includes(scope)
}

/** The API of the project that is open. */
export function api(): ProjectApi {
  if (!project.value) throw new Error('no project is open')
  return apiOf(project.value.id)
}

export async function learnAccess({ id }: Membership): Promise<void> {
  const { scopes, role } = await apiOf(id).access()
  access.value = { projectId: id, scopes, role }
}

/** The path of a screen of the project: `screenPath('posts', post.id)`. */
export function screenPath(...parts: readonly string[]): string {
  return pathTo(['in', project.value?.slug ?? '', ...parts])
}
