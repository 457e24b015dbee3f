import { signal } from '@preact/signals'
import { Problem } from '@verso/client'
import { studioUrl } from './address.ts'

export type Role = 'writer' | 'editor' | 'owner'

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

export interface Membership {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly role: Role
}

/** Who is signed in, and to which projects they belong. */
export interface Session {
  readonly person: { readonly id: string; readonly name: string; readonly hasPassword: boolean; readonly passkeys: readonly Passkey[] }
  readonly projects: readonly Membership[]
  readonly expiresAt: string
}

/** A bearer token for `/v1`, in one project. */
export interface SessionToken {
  readonly token: string
  readonly expiresAt: string
  readonly scopes: readonly string[]
  readonly role: Role
}

/** Undefined until it is known, null where nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined)

/** A request below `/studio/session`, the only ones beside `/v1`. */
export async function askSession<T>(method: 'GET' | 'POST' | 'DELETE', path = '', body?: object): Promise<T> {
  const unreachable = (cause: unknown): never => {
    throw new Problem(0, {}, 'unreachable', cause)
  }
  const response = await fetch(new URL(`session${path}`, studioUrl), {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(unreachable)
  if (response.status === 401) session.value = null
  const text = await response.text().catch(unreachable)
  if (!response.ok) throw new Problem(response.status, text.startsWith('{') ? JSON.parse(text) : {})
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Looks who is signed in. */
export async function openSession(): Promise<void> {
  session.value = await askSession<Session>('GET')
}

/** Signs in by what a path below `/studio/session` takes, such as a name and a password, or changes how one signs in. */
export async function sign(path: '' | '/password' | '/passkeys' | '/passkey-sign-in', body: object): Promise<void> {
  session.value = await askSession<Session>('POST', path, body)
}

export async function signOut(): Promise<void> {
  await askSession('DELETE')
  session.value = null
}

/** Passwords of fewer characters are refused. */
export const shortestPassword = 12

/** Whether this browser knows passkeys, and the page came in a way that allows them. */
export const knowsPasskeys = 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** What the browser answers; nothing where the person has changed their mind. */
async function unlessRefused(asked: Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await asked
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return undefined
    throw error
  }
}

interface NewPasskey {
  readonly name?: string
  /** Of a one-time link. The person is then signed in. */
  readonly token?: string
  /** Of who is signed in and has one. */
  readonly currentPassword?: string
}

/** False where the person has changed their mind. */
export async function addPasskey({ currentPassword, ...named }: NewPasskey): Promise<boolean> {
  const asked = { token: named.token, currentPassword }
  const options = await askSession<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options', asked)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const response = await unlessRefused(navigator.credentials.create({ publicKey }))
  if (response) await sign('/passkeys', { ...named, response })
  return response !== undefined
}

export async function removePasskey(id: string): Promise<void> {
  await askSession('DELETE', `/passkeys/${encodeURIComponent(id)}`)
  await openSession()
}

export async function signInByPasskey(): Promise<void> {
  const options = await askSession<PublicKeyCredentialRequestOptionsJSON>('POST', '/passkey-sign-in/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = await unlessRefused(navigator.credentials.get({ publicKey }))
  if (response) await sign('/passkey-sign-in', { response })
}
