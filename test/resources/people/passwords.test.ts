import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPasswords, passwordFaults } from '../../../src/resources/people/sign-in/password.ts'
import { cheapHash, testPassword } from '../../harness/studio-browser.ts'

describe('passwords', () => {
  /** Holds the first turn until `open` is called. */
  function held() {
    const passwords = openPasswords(randomBytes)
    let open: () => void = () => undefined
    const first = new Promise<void>((resolve) => {
      open = resolve
    })
    return { passwords, open, first: passwords.inTurn('first', () => first) }
  }

  it('are compared one at a time, one of each address before the second of any', async () => {
    const { passwords, open, first } = held()
    let running = 0
    const order: string[] = []
    const turn = (address: string, name: string) =>
      passwords.inTurn(address, async () => {
        expect(++running).toBe(1)
        order.push(name)
        await Promise.resolve()
        running--
      })
    const turns = [turn('a', 'a1'), turn('a', 'a2'), turn('a', 'a3'), turn('b', 'b1'), turn('c', 'c1'), turn('b', 'b2')]
    open()
    await Promise.all([first, ...turns])
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(await passwords.inTurn('a', async () => 'again')).toBe('again')
  })

  it('the 11th of an address that would wait is 429 rate_limited, the 101st address 503 overloaded, with Retry-After', async () => {
    const { passwords, open, first } = held()
    const wait = (address: string) => passwords.inTurn(address, async () => undefined)
    const turns = [...Array.from({ length: 10 }, () => wait('a')), ...Array.from({ length: 99 }, (_, i) => wait(`b${i}`))]
    await expect(wait('a')).rejects.toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '5' } })
    await expect(wait('c')).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '5' } })
    turns.push(wait('b0'))
    open()
    await Promise.all([first, ...turns])
  })

  it('a turn that fails does not stop those after it', async () => {
    const passwords = openPasswords(randomBytes)
    const failing = passwords.inTurn('a', () => Promise.reject(new Error('planted')))
    const next = passwords.inTurn('a', (matches) => matches(testPassword, cheapHash))
    await expect(failing).rejects.toThrow('planted')
    expect(await next).toBe(true)
  })

  it('match in every form of Unicode that means the same letters, and no other password does', async () => {
    const passwords = openPasswords(randomBytes)
    const hash = await passwords.hash('a', 'déjà vu encore'.normalize('NFD'), async (made) => made)
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    const matches = (password: string) => passwords.inTurn('a', (compare) => compare(password, hash))
    expect([await matches('déjà vu encore'.normalize('NFC')), await matches('deja vu encore')]).toEqual([true, false])
  })

  it.each([
    ['eleven char', 'too_short'],
    ['a'.repeat(40), 'too_simple'],
    ['abcd'.repeat(251), 'too_long'],
    ['\ufdfa', 'too_short'],
    ['\u200b\u200c\u200d\u2060'.repeat(3), 'too_short'],
    ['twelve chars', undefined],
  ])('%s: %s', (password, code) => {
    expect(passwordFaults(password)[0]?.code).toBe(code)
  })
})
