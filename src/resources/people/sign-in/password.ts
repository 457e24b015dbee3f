import { scrypt, timingSafeEqual } from 'node:crypto'
import { codePointLength } from '../../../values/code-points.ts'
import type { Random } from '../../../values/ids.ts'
import type { Fault } from '../../../values/problems.ts'
import { openTurns } from './turns.ts'

/** Cost, block size and parallelism, as OWASP asks for (Password Storage Cheat Sheet): about half a second, and 128 MiB. */
const cost = { log2: 17, blockSize: 8, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32
/** What scrypt needs, and some. */
const maxMemoryBytes = 160 * 2 ** 20

/** A passphrase of three words, or twelve letters and digits. */
const minLength = 12
const maxLength = 1_000

/** What is wrong with a new password. Only characters that people type and see count: one that stands for a whole phrase counts once, and one without width not at all. */
export function passwordFaults(password: string): readonly Fault[] {
  const forms = [password, normalized(password)].map((form) => form.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
  const shortest = Math.min(...forms.map(codePointLength))
  const fault = (code: string, detail: string) => [{ pointer: '/password', code, detail }]
  if (shortest < minLength)
    return fault('too_short', `The password must have at least ${minLength} characters; three or four words make a good one.`)
  if (codePointLength(normalized(password)) > maxLength) return fault('too_long', `The password must have at most ${maxLength} characters.`)
  return new Set(normalized(password)).size < 4 ? fault('too_simple', 'The password must have at least four different characters.') : []
}

export interface Passwords {
  /** Makes a salted hash in the PHC string format, and stores it with `use` before the next one has its turn. */
  hash<T>(address: string, password: string, use: (hash: string) => Promise<T>): Promise<T>
  /** Runs `work` when it is the turn of its address, and with a way to compare. Takes the same time where there is no hash. */
  inTurn<T>(address: string, work: (matches: (password: string, hash: string | null) => Promise<boolean>) => Promise<T>): Promise<T>
}

/**
 * Hashes passwords in the thread pool of Node, one at a time: each takes 128 MiB, and a core that the event loop would like to have
 * (docs/decisions/0059-sessions.md). Addresses take turns (docs/decisions/0085-sign-ins-take-turns.md).
 */
export function openPasswords(random: Random): Passwords {
  const turns = openTurns()

  return {
    hash: (address, password, use) =>
      turns.take(address, async () => {
        const salt = Buffer.from(random(saltBytes))
        return use(phc({ ...cost, salt, hash: await derive(password, { ...cost, salt }) }))
      }),
    inTurn: (address, work) =>
      turns.take(address, () =>
        work(async (password, stored) => {
          const known = stored === null ? undefined : parsed(stored)
          const hash = await derive(password, known ?? { ...cost, salt: Buffer.alloc(saltBytes) })
          return known !== undefined && known.hash.length === hash.length && timingSafeEqual(known.hash, hash)
        }),
      ),
  }
}

interface Parameters {
  readonly log2: number
  readonly blockSize: number
  readonly parallelism: number
  readonly salt: Buffer
}

function derive(password: string, { log2, blockSize, parallelism, salt }: Parameters): Promise<Buffer> {
  const options = { N: 2 ** log2, r: blockSize, p: parallelism, maxmem: maxMemoryBytes }
  return new Promise((resolve, reject) => {
    scrypt(normalized(password), salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** Keyboards and systems compose letters in different ways. */
function normalized(password: string): string {
  return password.normalize('NFKC')
}

function phc({ log2, blockSize, parallelism, salt, hash }: Parameters & { readonly hash: Buffer }): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=${log2},r=${blockSize},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

function parsed(text: string): (Parameters & { readonly hash: Buffer }) | undefined {
  const [, log2, blockSize, parallelism, salt = '', hash = ''] = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(text) ?? []
  if (log2 === undefined) return undefined
  const numbers = { log2: Number(log2), blockSize: Number(blockSize), parallelism: Number(parallelism) }
  return { ...numbers, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}
