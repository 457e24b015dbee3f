import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { Command, Option } from 'commander'
import { readRemote } from '../../app/config.ts'
import { messageOf } from '../../context.ts'
import type { Agent } from '../../mcp/agent.ts'
import { CommandFailed } from '../errors.ts'
import { examples } from '../terminal.ts'

interface McpOptions {
  readonly url?: string
  readonly key?: string
}

/** `verso mcp`: the tools of agents over standard input and output. Needs a running service and a key, no database. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('Serve agents over standard input and output (the Model Context Protocol). A client of agents starts it and ends it.')
    .addOption(new Option('--url <address>', 'the address of the service (or VERSO_URL; default: http://127.0.0.1:4400)'))
    .addOption(new Option('--key <token>', 'an API key with the scopes that the agent may have (or VERSO_KEY)'))
    .addHelpText(
      'after',
      examples('VERSO_KEY=verso_live_… verso mcp', 'VERSO_KEY=verso_live_… verso mcp --url https://content.example.com'),
    )
    .action(serveAgent)
}

/** Standard output belongs to the protocol: all else goes to standard error. */
async function serveAgent(options: McpOptions): Promise<void> {
  const { url, key } = readRemote(options)
  const [{ serveStdio, StdioServerTransport }, { agentServer }, { remoteApi }, { Refusal, ask }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../mcp/agent-server.ts'),
    import('../../mcp/remote-api.ts'),
    import('../../mcp/api.ts'),
  ])
  const asking = ask<Pick<Agent, 'actor' | 'scopes'>>(remoteApi({ url, key, client: undefined }), 'GET', '/v1/whoami')
  const { actor, scopes } = await asking.catch((error: unknown) => {
    throw error instanceof Refusal ? new CommandFailed(error.message.split('\n')[0] ?? '') : error
  })
  const agentFor = (client: string | undefined): Agent => ({ actor, scopes, api: remoteApi({ url, key, client }) })
  const warn = (error: unknown) => process.stderr.write(`warning: ${inOneLine(error)}\n`)
  const input = new PassThrough({
    flush(done) {
      // The last line may end with the input.
      this.push('\n')
      setImmediate(() => void answers.settled().then(() => done()))
    },
  })
  const transport = new StdioServerTransport(input)
  const served = serveStdio(() => agentServer(agentFor, warn), { transport, maxSubscriptions: 0, onerror: warn })
  const answers = answersOf(transport)
  // A file ends and is not closed; a pipe that breaks is closed and does not end.
  process.stdin.once('close', () => process.stdin.readableEnded || input.destroy()).pipe(input)
  await once(input, 'close')
  process.stdin.destroy()
  await served.close()
}

/** The package tells what is wrong with a message by a list of everything that it could have been. */
function inOneLine(error: unknown): string {
  const said = messageOf(error)
  return said.startsWith('[') ? 'a line that is no message of the protocol was passed over.' : said
}

/** Waits for the answers to requests that were read: that to a write says how to undo it. The package gives them up where the input ends. */
function answersOf(transport: StdioServerTransport): { settled(): Promise<void> } {
  const open = new Set<unknown>()
  const closed = new EventEmitter()
  const close = (id: unknown) => open.delete(id) && open.size === 0 && closed.emit('settled')
  const [receive, send] = [transport.onmessage, transport.send.bind(transport)]
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') close(message.params?.requestId)
    receive?.(message)
  }
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) close(message.id)
  }
  return {
    async settled() {
      if (open.size > 0) await once(closed, 'settled')
    },
  }
}
