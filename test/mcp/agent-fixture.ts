import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

/** The generations of the protocol: with a handshake (the revisions of 2025), and without. */
export const generations = ['legacy', 'auto'] as const

/** A client of the protocol's own project, and what its calls cost. */
export interface TestAgent {
  readonly client: Client
  /** The text of the answer; throws if it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  /** The text of the answer and whether it is an error. */
  tried(name: string, args?: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>
}

export async function agentOn(url: string, key: string, generation: (typeof generations)[number] = 'auto'): Promise<TestAgent> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  return connected(transport, generation)
}

export async function connected(transport: Parameters<Client['connect']>[0], generation: (typeof generations)[number]): Promise<TestAgent> {
  const client = new Client({ name: 'test-agent', version: '1.0' }, { versionNegotiation: { mode: generation } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const tried: TestAgent['tried'] = async (name, args = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const text = (content as readonly { readonly type: string; readonly text: string }[]).map((part) => part.text).join('')
    return { text, isError: isError === true }
  }
  return {
    client,
    tried,
    async call(name, args) {
      const { text, isError } = await tried(name, args)
      if (isError) throw new Error(text)
      return text
    },
  }
}
