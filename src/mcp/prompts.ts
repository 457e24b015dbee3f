import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { Scope } from '../actions/caller.ts'
import type { Agent } from './agent.ts'
import { fenced } from './data-text.ts'
import { notesOf } from './resources.ts'

/** What a person can ask an agent for, in words that were tried. */
interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Its one argument. */
  readonly argument: { readonly name: string; readonly description: string }
  readonly scope: Scope
  text(given: string): string
}

const post = { name: 'post', description: 'The id or slug of the post' }

const prompts: readonly Prompt[] = [
  {
    name: 'draft_from_notes',
    title: 'Draft a post from notes',
    description: 'Makes a draft of rough notes.',
    argument: { name: 'notes', description: 'The notes' },
    scope: 'posts:propose',
    text: (notes) =>
      `Write a post from the notes below. First call list_terms and find_posts, so that it has tags that exist and repeats no other post. Then make it with draft_post, and tell me its link in the studio. Add no facts that are not in the notes; list what is missing.\n${fenced('notes', notes)}`,
  },
  {
    name: 'proofread',
    title: 'Proofread a post',
    description: 'Corrects mistakes of language in a post, and nothing else.',
    argument: post,
    scope: 'posts:propose',
    text: (ref) =>
      `Proofread the post ${JSON.stringify(ref)}. Read it section by section with read_post. Correct spelling, grammar and punctuation with edit_post, in edits as small as possible; change neither meaning nor style, and nothing in code or links. At the end list what you have changed and what you are unsure of, with the link to the studio.`,
  },
  {
    name: 'prepare_to_publish',
    title: 'Prepare a post for publication',
    description: 'Checks a post and fills in what is missing.',
    argument: post,
    scope: 'posts:propose',
    text: (ref) =>
      `Prepare the post ${JSON.stringify(ref)} for publication. Call check_post, then read it. Fill in missing tags, excerpt and SEO description with set_fields, and missing alternative texts with edit_post. Do not publish it. At the end list what a person still has to decide, with the link to the studio.`,
  },
]

export function servePrompts(server: Server, agent: () => Agent): void {
  const offered = () => prompts.filter(({ scope }) => agent().scopes.includes(scope))
  server.setRequestHandler('prompts/list', () => ({
    prompts: offered().map(({ name, title, description, argument }) => ({
      name,
      title,
      description,
      arguments: [{ ...argument, required: true }],
    })),
  }))
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = offered().find(({ name }) => name === params.name)
    const given = prompt && params.arguments?.[prompt.argument.name]
    if (!prompt || given === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        prompt ? `The argument ${prompt.argument.name} is missing.` : 'There is no such prompt.',
      )
    const notes = await notesOf(agent())
    const text =
      notes === null
        ? prompt.text(given)
        : `${prompt.text(given)}\n\nWrite as these notes of the project say:\n${fenced('notes of the project', notes)}`
    return { description: prompt.description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
}
