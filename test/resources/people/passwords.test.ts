import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPasswords, passwordFaults } from '../../../src/resources/people/sign-in/password.ts'
import { cheapHash, testPassword } from '../../harness/studio-browser.ts'

describe('passwords', () => {
  it('are compared one at a time; the 21st that would wait is 503 overloaded with Retry-After', async () => {
    const passwords = openPasswords(randomBytes)
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let running = 0
    let most = 0
    const turns = Array.from({ length: 20 }, () =>
      passwords.inTurn(async () => {
        most = Math.max(most, ++running)
        await opened
        running--
      }),
    )
    await expect(passwords.inTurn(async () => undefined)).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '5' } })
    open()
    await Promise.all(turns)
    expect(most).toBe(1)
    expect(await passwords.inTurn(async () => 'again')).toBe('again')
  })

  it('a turn that fails does not stop those after it', async () => {
    const passwords = openPasswords(randomBytes)
    const failing = passwords.inTurn(() => Promise.reject(new Error('planted')))
    const next = passwords.inTurn((matches) => matches(testPassword, cheapHash))
    await expect(failing).rejects.toThrow('planted')
    expect(await next).toBe(true)
  })

  it('match in every form of Unicode that means the same letters, and no other password does', async () => {
    const passwords = openPasswords(randomBytes)
    const hash = await passwords.hash('déjà vu encore'.normalize('NFD'), async (made) => made)
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    const matches = (password: string) => passwords.inTurn((compare) => compare(password, hash))
    expect([await matches('déjà vu encore'.normalize('NFC')), await matches('deja vu encore')]).toEqual([true, false])
  })

  it.each([
    ['eleven char', 'too_short'],
    ['a'.repeat(40), 'too_simple'],
    ['abcd'.repeat(251), 'too_long'],
    ['twelve chars', undefined],
  ])('%s: %s', (password, code) => {
    expect(passwordFaults(password)[0]?.code).toBe(code)
  })
})
