import { describe, expect, it } from 'vitest'
import { guardConnection } from '../../../src/database/postgres/postgres-connection.ts'
import { lostRace } from '../../../src/database/postgres/postgres-errors.ts'

interface Said {
  readonly text: string
  readonly name?: string
}

/** A guarded connection to a server that answers as told, with all that was said to it. */
function connection(answer: (said: Said) => unknown = () => ({ command: 'SELECT', rows: [] })) {
  const said: Said[] = []
  const released: boolean[] = []
  const client = {
    async query({ text, name }: Said) {
      said.push({ text, ...(name && { name }) })
      const result = answer({ text, ...(name && { name }) })
      if (result instanceof Error) throw result
      return result as never
    },
    release: (broken: boolean) => void released.push(broken),
  }
  let left = 0
  const guarded = guardConnection(client, { names: new Set(), leave: () => void left++ })
  const release = () => {
    guarded.release()
    return { discarded: released, left }
  }
  return { said, release, query: (text: string, ...values: unknown[]) => guarded.query(text, values) }
}

/** An error as the server sends it. */
const serverError = (code: string, rest: object = {}) =>
  Object.assign(new Error('said by the server'), { code, severity: 'ERROR', ...rest })
const stalePlan = serverError('0A000', { routine: 'RevalidateCachedQuery' })

describe('a connection to PostgreSQL', () => {
  it('names the statements that have values, up to a number, and each always the same', async () => {
    const { said, query } = connection()
    for (let n = 0; n < 600; n++) await query(`select ${n} + $1`, 1)
    await query('select 0 + $1', 2)
    await query('select 599 + $1', 2)
    await query('begin')
    expect(new Set(said.slice(0, 600).flatMap(({ name }) => name ?? [])).size).toBe(500)
    expect(said[600]?.name).toBe(said[0]?.name)
    expect(said.slice(601).map(({ name }) => name)).toEqual([undefined, undefined])
  })

  it('reads again, unprepared, what it had prepared for an older schema, and is then replaced', async () => {
    const { said, query, release } = connection(({ name }) => (name ? stalePlan : { command: 'SELECT', rows: [{ a: 1 }] }))
    expect((await query('select a from b where c = $1', 1)).rows).toEqual([{ a: 1 }])
    expect(said.map(({ name }) => name !== undefined)).toEqual([true, false])
    expect(release()).toEqual({ discarded: [true], left: 1 })
  })

  it('inside a transaction that is a lost race: the work runs again on another connection', async () => {
    const { query, release } = connection(({ name }) => (name ? stalePlan : { command: 'BEGIN', rows: [] }))
    await query('begin isolation level read committed')
    const error = await query('select a from b where c = $1', 1).catch((reason: unknown) => reason)
    expect(lostRace(error)).toBe(true)
    expect(release().discarded).toEqual([true])
  })

  it.each([
    ['the connection ends', 'outcome_unknown', new Error('Connection terminated unexpectedly')],
    ['nothing is heard', 'outcome_unknown', new Error('Query read timeout')],
    ['the server is shut down', 'outcome_unknown', serverError('57P01', { severity: 'FATAL' })],
    [
      'the system says that the connection was reset',
      'outcome_unknown',
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    ],
    ['the driver says something new', 'outcome_unknown', new Error('Received unexpected commandComplete message from backend.')],
    ['the disk is full', 'storage_full', serverError('53100')],
    ['the server gave up, and speaks German', 'overloaded', serverError('57014', { severity: 'FEHLER' })],
  ])('a commit where %s is %s', async (_, code, error) => {
    const { query } = connection(({ text }) => (text === 'commit' ? error : { command: 'BEGIN', rows: [] }))
    await query('begin')
    await expect(query('commit')).rejects.toMatchObject({ code })
  })

  it('a commit that the server answers by undoing the transaction is a fault, not a success', async () => {
    const { query } = connection(({ text }) => ({ command: text === 'commit' ? 'ROLLBACK' : 'BEGIN', rows: [] }))
    await query('begin')
    await expect(query('commit')).rejects.toThrow('rolled')
  })

  it.each([
    ['Connection terminated unexpectedly', {}],
    ['server closed the connection unexpectedly', {}],
    ['Cannot call write after a stream was destroyed', { code: 'ERR_STREAM_DESTROYED' }],
    ['write after end', { code: 'ERR_STREAM_WRITE_AFTER_END' }],
    ['This socket has been ended by the other party', { code: 'EPIPE' }],
    ['terminating connection due to administrator command', { code: '57P01', severity: 'FATAL' }],
  ])('%s: 503 database_unavailable, and it is replaced', async (message, fields) => {
    const { query, release } = connection(() => Object.assign(new Error(message), fields))
    await expect(query('select 1')).rejects.toMatchObject({ code: 'database_unavailable' })
    expect(release().discarded).toEqual([true])
  })

  it('goes on where the server says that it could not reach another one, as that of a shard', async () => {
    const { query, release } = connection(({ text }) => (text === 'rollback' ? { command: 'ROLLBACK', rows: [] } : serverError('08006')))
    await expect(query('select 1')).rejects.toMatchObject({ code: 'database_unavailable' })
    await query('rollback')
    expect(release().discarded).toEqual([false])
  })

  it('is not used any more once it is lost, and replaced; not so after a statement that the server refused', async () => {
    const lost = connection(() => new Error('Connection terminated unexpectedly'))
    await expect(lost.query('select 1')).rejects.toMatchObject({ code: 'database_unavailable' })
    await expect(lost.query('rollback')).rejects.toMatchObject({ code: 'database_unavailable' })
    expect(lost.said).toHaveLength(1)
    expect(lost.release()).toEqual({ discarded: [true], left: 1 })
    const refused = connection(({ text }) => (text === 'rollback' ? { command: 'ROLLBACK', rows: [] } : serverError('55P03')))
    await expect(refused.query('select 1')).rejects.toMatchObject({ code: 'overloaded' })
    await refused.query('rollback')
    expect(refused.release().discarded).toEqual([false])
  })
})
