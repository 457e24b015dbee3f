import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { Agent } from './agent.ts'
import { mostChars } from './agent.ts'
import { ask, Refusal } from './api.ts'
import { startOf } from './data-text.ts'
import { findWorkingPost } from './posts/working-post.ts'
import { listTerms } from './tools/reading-tools.ts'

const markdown = 'text/markdown'

/** What applications show to people, and give to models as a whole. */
const resources = [
  { uri: 'verso://notes', name: 'notes', title: 'How to write here', description: 'The style notes of the project.', mimeType: markdown },
  { uri: 'verso://terms', name: 'terms', title: 'Tags, categories and authors', mimeType: markdown },
]

const template = {
  uriTemplate: 'verso://posts/{post}',
  name: 'post',
  title: 'A post as Markdown',
  description: 'By its id or slug.',
  mimeType: markdown,
}

export function serveResources(server: Server, agent: () => Agent): void {
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return { contents: [{ uri, mimeType: markdown, text: startOf(await textAt(agent(), uri), mostChars) }] }
    } catch (error) {
      if (error instanceof Refusal) throw new ResourceNotFoundError(uri, error.message)
      throw error
    }
  })
}

async function textAt(agent: Agent, uri: string): Promise<string> {
  const [, kind, ref] = /^verso:\/\/(notes|terms|posts)(?:\/([\w-]{1,100}))?$/.exec(uri) ?? []
  if (kind === 'notes') return (await notesOf(agent)) ?? 'This project has no notes.'
  if (kind === 'terms') return listTerms.call(agent, {})
  if (kind !== 'posts' || ref === undefined)
    throw new Refusal('There is no such resource. Read verso://notes, verso://terms or verso://posts/{id or slug}.')
  const { latest, version } = await findWorkingPost(agent, ref)
  const { id, title, slug, status, tags, content } = latest
  const head = Object.entries({ id, version, title, slug, status, tags }).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${head.join('\n')}\n---\n\n${content}`
}

/** The notes on how people and agents write here, if the key may see them and there are any. */
export async function notesOf({ api }: Agent): Promise<string | null> {
  return (await ask<{ readonly notes: string | null }>(api, 'GET', '/v1/whoami')).notes
}
