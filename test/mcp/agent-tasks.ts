import type { TestAgent } from './agent-fixture.ts'

/** What a task did: its calls, and the characters of their arguments and answers. */
export interface Cost {
  readonly task: string
  readonly calls: number
  readonly characters: number
  /** Of the longest answer. */
  readonly longest: number
}

interface Item {
  readonly id: string
  readonly slug: string
  readonly version: string
}

type Call = TestAgent['call']

/** What earlier tasks leave for later ones. */
interface Memory {
  readonly undos: Record<string, unknown>[]
  draft: string
}

type Task = readonly [name: string, run: (call: Call, memory: Memory) => Promise<void>]

/** Runs every task with one agent that may publish. */
export async function runTasks(agent: TestAgent): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  const memory: Memory = { undos: [], draft: '' }
  for (const [task, run] of tasks) {
    const cost = { task, calls: 0, characters: 0, longest: 0 }
    await run(async (name, args = {}) => {
      const answer = await agent.call(name, args)
      cost.calls++
      cost.characters += JSON.stringify(args).length + answer.length
      cost.longest = Math.max(cost.longest, answer.length)
      return answer
    }, memory)
    costs.push(cost)
  }
  return costs
}

export const itemsIn = (answer: string): readonly Item[] =>
  [...answer.matchAll(/^- (post_\w+): .*?; slug ([\w-]+);.*; (v\d+)/gm)].map(([, id = '', slug = '', version = '']) => ({
    id,
    slug,
    version,
  }))

export const versionIn = (answer: string): string => /^(?:.*, )?version: (v[\d.p]+)/m.exec(answer)?.[1] ?? ''

export const undoIn = (answer: string): Record<string, unknown> => JSON.parse(/^To undo it: undo (\{.*)$/m.exec(answer)?.[1] ?? '{}')

const cursorIn = (answer: string) => /cursor "([^"]+)"/.exec(answer)?.[1]

const textIn = (answer: string) => /<<<DATA (\w+) [^\n]*\n([\s\S]*)DATA \1>>>/.exec(answer)?.[2] ?? ''

/** A line of plain words that occurs once. */
function lineIn(text: string): string {
  const line = text.split('\n').find((each) => /^[A-Z][\w ,.']{20,}/.test(each) && text.split(each).length === 2)
  if (line === undefined) throw new Error('the text has no line to edit')
  return line
}

/** The first posts whose text is short enough to come with their fields. */
async function shortPosts(
  call: Call,
  count: number,
): Promise<readonly { readonly item: Item; readonly text: string; readonly version: string }[]> {
  const found = []
  for (const item of itemsIn(await call('find_posts', { status: 'published', limit: 30 }))) {
    if (found.length === count) break
    const answer = await call('read_post', { post: item.id })
    const text = textIn(answer) || textIn(await call('read_post', { post: item.id, section: 'all' }))
    if (text.split('\n').some((each) => /^[A-Z][\w ,.']{20,}/.test(each) && text.split(each).length === 2))
      found.push({ item, text, version: versionIn(answer) })
  }
  return found
}

const first = async (call: Call): Promise<Item> => {
  const [item] = itemsIn(await call('find_posts', { status: 'published', limit: 1 }))
  if (!item) throw new Error('there are no posts')
  return item
}

const tasks: readonly Task[] = [
  ['say who one is', async (call) => void (await call('whoami'))],
  ['find the newest posts', async (call) => void (await call('find_posts'))],
  ['find posts by a word', async (call) => void (await call('find_posts', { words: 'release' }))],
  ['find posts by their title', async (call) => void (await call('find_posts', { title: 'a' }))],
  ['find the drafts', async (call) => void (await call('find_posts', { status: 'draft' }))],
  [
    'page through thirty posts',
    async (call) => {
      for (let page = 0, cursor: string | undefined; page < 3; page++) {
        cursor = cursorIn(await call('find_posts', { limit: 10, ...(cursor !== undefined && { cursor }) }))
        if (cursor === undefined) break
      }
    },
  ],
  ['list tags, categories and authors', async (call) => void (await call('list_terms'))],
  ['list the tags alone', async (call) => void (await call('list_terms', { kind: 'tags' }))],
  ['see the outline of a post', async (call) => void (await call('read_post', { post: (await first(call)).slug, max_tokens: 300 }))],
  [
    'read the first section of a post',
    async (call) => {
      const { slug } = await first(call)
      await call('read_post', { post: slug, section: '1' }).catch(() => call('read_post', { post: slug, section: 'all' }))
    },
  ],
  [
    'read a post to its end',
    async (call) => {
      const { slug } = await first(call)
      for (let cursor: string | undefined = '0'; cursor !== undefined; )
        cursor = cursorIn(await call('read_post', { post: slug, section: 'all', cursor }))
    },
  ],
  ['see who changed a post', async (call) => void (await call('history', { post: (await first(call)).slug }))],
  ['see what a change was', async (call) => void (await call('history', { post: (await first(call)).slug, compare: 1 }))],
  ['check a post', async (call) => void (await call('check_post', { post: (await first(call)).slug }))],
  [
    'check five posts',
    async (call) => {
      for (const { id } of itemsIn(await call('find_posts', { limit: 5 }))) await call('check_post', { post: id })
    },
  ],
  [
    'fix a typo in one section',
    async (call, { undos }) => {
      for (const { item, text, version } of await shortPosts(call, 1)) {
        const old = lineIn(text)
        undos.push(undoIn(await call('edit_post', { post: item.id, version, edits: [{ old, new: `${old} Indeed.` }] })))
      }
    },
  ],
  ['take that back', async (call, { undos }) => void (await call('undo', undos.pop()))],
  [
    'fix a line in each of three posts',
    async (call) => {
      for (const { item, text, version } of await shortPosts(call, 3)) {
        const old = lineIn(text)
        await call('edit_post', { post: item.id, version, edits: [{ old, new: old.replace(/\w+/, 'Now') }] })
      }
    },
  ],
  [
    'set excerpt and SEO of a post',
    async (call) => {
      const { id } = await first(call)
      const version = versionIn(await call('read_post', { post: id, max_tokens: 300 }))
      await call('set_fields', { post: id, version, excerpt: 'In short.', seo: { description: 'What search engines show of it.' } })
    },
  ],
  [
    'retag twenty posts',
    async (call, { undos }) => {
      const items = itemsIn(await call('find_posts', { limit: 30, sort: 'created_at' }))
      for (const { id } of items.slice(0, 20)) {
        const version = versionIn(await call('read_post', { post: id, max_tokens: 300 }))
        undos.push(undoIn(await call('set_fields', { post: id, version, tags: ['retagged'] })))
      }
    },
  ],
  [
    'take the tags back',
    async (call, { undos }) => {
      for (const args of undos.splice(0).reverse()) await call('undo', args)
    },
  ],
  [
    'draft a post from notes',
    async (call, memory) => {
      await call('list_terms')
      const made = await call('draft_post', {
        title: 'Notes of the harbour',
        content: '# Tides\n\nThe sea comes and goos.\n',
        tags: ['sea'],
      })
      memory.draft = String(undoIn(made).id)
    },
  ],
  [
    'go on with the draft',
    async (call, { draft, undos }) => {
      const version = versionIn(await call('read_post', { post: draft }))
      undos.push(undoIn(await call('edit_post', { post: draft, version, edits: [{ old: 'goos', new: 'goes' }] })))
    },
  ],
  ['take that back, too', async (call, { undos }) => void (await call('undo', undos.pop()))],
  [
    'put a picture into the draft',
    async (call, { draft }) => {
      const picture = { url: 'https://example.com/boat.jpg', filename: 'boat.jpg', mimeType: 'image/jpeg', alt: 'A boat' }
      await call('register_media', picture)
      const version = versionIn(await call('read_post', { post: draft }))
      await call('edit_post', {
        post: draft,
        version,
        edits: [{ old: '# Tides\n', new: '# Tides\n\n![A boat](https://example.com/boat.jpg)\n' }],
      })
    },
  ],
  [
    'prepare the draft for publication',
    async (call, { draft }) => {
      await call('check_post', { post: draft })
      const version = versionIn(await call('read_post', { post: draft }))
      await call('set_fields', { post: draft, version, excerpt: 'What the sea does all day, and why nobody ever quite gets used to it.' })
    },
  ],
  ['share a preview', async (call, { draft }) => void (await call('preview_link', { post: draft }))],
  [
    'schedule the draft',
    async (call, { draft, undos }) => {
      const version = versionIn(await call('read_post', { post: draft }))
      undos.push(undoIn(await call('schedule_post', { post: draft, version, at: '2099-01-01T08:00:00Z' })))
    },
  ],
  ['take it off the schedule', async (call, { undos }) => void (await call('undo', undos.pop()))],
  [
    'publish the draft',
    async (call, { draft, undos }) => {
      const version = versionIn(await call('read_post', { post: draft }))
      undos.push(undoIn(await call('publish_post', { post: draft, version })))
    },
  ],
  [
    'edit a published post, and apply the edit',
    async (call, { draft }) => {
      const version = versionIn(await call('read_post', { post: draft }))
      const edited = await call('edit_post', { post: draft, version, edits: [{ old: 'goos', new: 'goes' }] })
      await call('publish_post', { post: draft, version: versionIn(edited) })
    },
  ],
]
