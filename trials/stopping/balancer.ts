import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How often a node is asked whether it is ready. */
const askEveryMs = 150

interface Node {
  readonly url: URL
  readonly agent: Agent
  isReady: boolean
  /** How often in a row it was not ready. */
  misses: number
  open: number
}

export interface Balancer {
  readonly url: string
  /** From now on the node is asked, and gets requests while it is ready. */
  add(url: string): void
  remove(url: string): void
  /** Resolves when this node, and nothing less, gets requests. */
  ready(url: string): Promise<void>
  close(): Promise<void>
}

/**
 * Sends each request to the ready node with the fewest, over connections that it keeps, and never a second time. It asks `/readyz` as the
 * documentation tells operators, and lets go of the connections of a node that is not ready.
 */
export async function openBalancer(): Promise<Balancer> {
  const nodes = new Map<string, Node>()
  const server = createServer((incoming, outgoing) => {
    const [node] = [...nodes.values()].filter(({ isReady }) => isReady).sort((a, b) => a.open - b.open)
    if (!node) {
      outgoing.writeHead(502, { 'x-balancer': 'no node is ready' }).end()
      return
    }
    node.open++
    const fail = (error: Error) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502, { 'x-balancer': `${error.message} ${node.isReady ? 'while ready' : 'while not ready'}` }).end()
    }
    const { hostname, port } = node.url
    const { method, url: path, headers } = incoming
    const sent = send({ hostname, port, method, path, headers, agent: node.agent }, (response) => {
      const { connection: _, ...passed } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, passed)
      response.on('error', fail).on('end', () => node.open--)
      response.pipe(outgoing)
    })
    sent.on('error', (error) => {
      node.open--
      fail(error)
    })
    incoming.pipe(sent)
  })
  const ask = async (node: Node) => {
    const status = await readiness(new URL('/readyz', node.url))
    node.misses = status === 200 ? 0 : node.misses + 1
    node.isReady = node.misses === 0 || (node.isReady && node.misses < 2)
    // Connections in use close by themselves: each response of a node that stops says so.
    if (!node.isReady) for (const sockets of Object.values(node.agent.freeSockets)) for (const socket of sockets ?? []) socket.end()
  }
  const askAgain = async (node: Node) => {
    while (nodes.has(node.url.origin)) {
      await ask(node)
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add(url) {
      const node = { url: new URL(url), agent: new Agent({ keepAlive: true }), isReady: false, misses: 0, open: 0 }
      nodes.set(url, node)
      void askAgain(node)
    },
    remove(url) {
      nodes.get(url)?.agent.destroy()
      nodes.delete(url)
    },
    async ready(url) {
      while (nodes.get(url)?.isReady !== true) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async close() {
      for (const { agent } of nodes.values()) agent.destroy()
      nodes.clear()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The status of `/readyz`; undefined without an answer in time. */
function readiness(url: URL): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = send(url, { agent: false, timeout: 10_000 }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(undefined))
    asked.end()
  })
}
