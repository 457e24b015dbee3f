import type { RegistrationResponseJSON, VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { Passkey } from './passkey-store.ts'

/** Whose passkeys they are (WebAuthn §4, "relying party"): a host, and the origin of its pages. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

type AuthenticationBody = Readonly<Record<'id' | 'rawId' | 'type', string>> & {
  readonly response: Readonly<Record<'clientDataJSON' | 'authenticatorData' | 'signature', string>>
}

/** The challenge that the browser says was signed; undefined if it says none. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { readonly challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

type NewCredential = (VerifiedRegistrationResponse & { readonly verified: true })['registrationInfo']['credential']

/** The credential of a new passkey; undefined unless everything about it is right. */
export async function verifyRegistration(
  response: unknown,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<NewCredential | undefined> {
  // Loaded here, since most starts never need it.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
  // Whatever the library throws is a fault of what was sent.
  const verified = await verifyRegistrationResponse({ response: response as RegistrationResponseJSON, ...expected }).catch(() => undefined)
  return verified?.verified ? verified.registrationInfo.credential : undefined
}

/** The new counter of a passkey that has signed the challenge; undefined unless everything about it is right. */
export async function verifySignature(
  response: AuthenticationBody,
  challenge: string,
  { id, origin }: RelyingParty,
  passkey: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified: VerifiedAuthenticationResponse | undefined = await verifyAuthenticationResponse({
    response: { ...response, type: 'public-key', clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: { id: passkey.id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')), counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}
