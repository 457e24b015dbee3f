import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { letOthersGo, openTurns, readLong, shortTurns } from '../../src/values/event-loop.ts'
import { startStopwatch } from '../../src/values/stopwatch.ts'

/** Both ends of a connection. */
async function connection(): Promise<readonly [client: Socket, server: Socket]> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, '127.0.0.1')
  const [accepted] = await once(server, 'connection')
  onTestFinished(() => {
    client.destroy()
    accepted.destroy()
    server.close()
  })
  return [client, accepted]
}

it('letOthersGo: what arrives while input is handled is handled first', async () => {
  const [[large, toLarge], [small, toSmall]] = [await connection(), await connection()]
  const order: string[] = []
  toSmall.on('data', () => void order.push('small'))
  const handled = new Promise<void>((resolve) => {
    toLarge.on('data', async () => {
      order.push('large')
      small.write('a request')
      await letOthersGo()
      order.push('the rest of large')
      resolve()
    })
  })
  large.write('a body')
  await handled
  expect(order).toEqual(['large', 'small', 'the rest of large'])
})

it('openTurns: between two turns, what has arrived is handled', async () => {
  const [[large, toLarge], [small, toSmall]] = [await connection(), await connection()]
  const order: string[] = []
  toSmall.on('data', () => void order.push('small'))
  const handled = new Promise<unknown>((resolve) => {
    toLarge.on('data', () => {
      const turn = openTurns()
      const first = turn().then(() => {
        order.push('first')
        small.write('a request')
      })
      const second = turn().then(() => void order.push('second'))
      resolve(Promise.all([first, second]))
    })
  })
  large.write('a body')
  await handled
  expect(order).toEqual(['first', 'small', 'second'])
})

/** Works in the event loop for so long. */
function work(ms: number): void {
  const elapsed = startStopwatch()
  while (elapsed() < ms);
}

/** Begins three works at once, and returns the turn of the event loop that each of their parts ended in. */
async function turnsOf(part: (giveWay: ReturnType<typeof shortTurns>) => Promise<void>): Promise<readonly number[]> {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  const turnsOfParts: number[] = []
  const longWork = async () => {
    const giveWay = shortTurns()
    for (let n = 0; n < 3; n++) {
      await part(giveWay)
      turnsOfParts.push(turn)
    }
  }
  count()
  await Promise.all([longWork(), longWork(), longWork()])
  isOver = true
  return turnsOfParts
}

it('shortTurns: each turn of the event loop has the long work of one request, however many have some', async () => {
  const turns = await turnsOf(async (giveWay) => {
    work(5)
    await giveWay()
  })
  expect(turns).toHaveLength(9)
  expect(new Set(turns).size).toBe(9)
})

it('shortTurns: parts that are known to be long are never done in one turn, not even the first of each request', async () => {
  const turns = await turnsOf(async (giveWay) => {
    await giveWay('long')
    work(5)
  })
  expect(turns).toHaveLength(9)
  expect(new Set(turns).size).toBe(9)
})

describe('readLong', () => {
  it('a value is asked for when the one before has come, or has failed', async () => {
    const order: string[] = []
    const reading = (name: string, fails = false) =>
      readLong(async () => {
        order.push(`ask ${name}`)
        await new Promise(setImmediate)
        order.push(`get ${name}`)
        if (fails) throw new Error('gone')
        return name
      })
    const all = await Promise.allSettled([reading('a'), reading('b', true), reading('c')])
    expect(order).toEqual(['ask a', 'get a', 'ask b', 'get b', 'ask c', 'get c'])
    expect(all).toMatchObject([{ value: 'a' }, { reason: { message: 'gone' } }, { value: 'c' }])
  })

  it('one that never comes holds nobody up for ever', async () => {
    void readLong(() => new Promise(() => {}))
    expect(await readLong(async () => 'next')).toBe('next')
    expect(await readLong(async () => 'and the next')).toBe('and the next')
  })
})
