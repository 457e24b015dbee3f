import { randomBytes } from 'node:crypto'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { lookUp } from '../../harness/cluster.ts'
import { engines } from '../../harness/harness.ts'
import { addressText, type Ended, serve, verso } from '../../harness/program.ts'

/** A failure is said in one line, and nothing is said beside it. */
function expectOneLine({ code, stdout, stderr }: Ended, said: RegExp): void {
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(said)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
}

type Parts = Partial<Pick<URL, 'hostname' | 'port' | 'username' | 'password' | 'pathname' | 'search'>>

/** The address of the tests' server with other parts. */
function server(parts: Parts): string {
  return Object.assign(new URL(inject('postgresUrl')), parts).href
}

for (const engine of engines)
  describe(`starting on ${engine.name}`, () => {
    it('serve: a schema newer than the program is refused in one line, exit code 1, and left as it is', async () => {
      const { address, drop } = await engine.create()
      onTestFinished(drop)
      const database = addressText(address)
      await later(database)
      for (const command of [['serve', '--port', '0'], ['migrate'], ['project', 'list']])
        expectOneLine(await verso([...command, '--database', database]), /^error: .*newer schema.*9999-later.*Start a newer Verso\.$/m)
    })
  })

describe('starting on PostgreSQL', () => {
  const start = (database: string) => verso(['serve', '--port', '0', '--database', database])

  const faults: readonly (readonly [string, Parts, RegExp])[] = [
    ['nobody listens', { port: '1' }, /database is unavailable.*ECONNREFUSED 127\.0\.0\.1:1\b/],
    ['there is no such host', { hostname: 'nowhere.invalid' }, /database is unavailable.*nowhere\.invalid/],
    ['there is no such database', { pathname: '/none' }, /database is unavailable.*"none" does not exist/],
    ['the server has no TLS', { search: '?sslmode=require' }, /database is unavailable.*does not support SSL/],
    ['the certificate is missing', { search: '?sslmode=verify-full&sslrootcert=/none.pem' }, /unavailable.*\/none\.pem/],
  ]
  it.each(faults)('serve: exit code 1 and one line where %s', async (_, parts, said) => {
    expectOneLine(await start(server(parts)), said)
  })

  it('serve: exit code 1 and one line where the password is wrong', async () => {
    const role = `verso_test_${randomBytes(8).toString('hex')}`
    await lookUp(inject('postgresUrl'), `create role ${role} login password 'right'`)
    onTestFinished(async () => void (await lookUp(inject('postgresUrl'), `drop role ${role}`)))
    expectOneLine(await start(server({ username: role, password: 'wrong' })), /database is unavailable.*password authentication failed/)
  })

  it('serve: exit code 1 and one line where the port is taken, and no connection keeps the process', async () => {
    const { address, drop } = await postgres().create()
    onTestFinished(drop)
    const database = addressText(address)
    const { url } = await serve(database)
    const { port } = new URL(url)
    expectOneLine(await verso(['serve', '--database', database, '--port', port]), new RegExp(`127\\.0\\.0\\.1:${port} is in use`))
  })

  it('serve: exit code 2 and one line where sslmode is none that there is', async () => {
    const { code, stderr } = await start(server({ search: '?sslmode=verfy-full' }))
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1])
    expect(stderr).toMatch(/sslmode must be one of disable, .*verfy-full/)
  })

  it('serve: exit code 1 and one line where the database cannot hold every text', async () => {
    const name = `verso_test_${randomBytes(8).toString('hex')}`
    await lookUp(inject('postgresUrl'), `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
    onTestFinished(async () => void (await lookUp(inject('postgresUrl'), `drop database ${name} with (force)`)))
    expectOneLine(await start(server({ pathname: `/${name}` })), /encoding LATIN1.*encoding 'UTF8'/)
  })
})

function postgres() {
  const engine = engines.find(({ name }) => name === 'PostgreSQL')
  if (!engine) throw new Error('the tests know no PostgreSQL')
  return engine
}

/** What a later version would leave behind. */
async function later(database: string): Promise<void> {
  const insert = "insert into migrations (name, applied_at) values ('9999-later', '2030-01-01T00:00:00.000Z')"
  if (!database.startsWith('sqlite:')) return void (await lookUp(database, insert))
  const { default: Database } = await import('better-sqlite3')
  const file = new Database(database.replace('sqlite:', ''))
  file.exec(insert)
  file.close()
}
