import Type from 'typebox'
import { Password } from '../sessions/session-schema.ts'

/** The bodies of `/studio/session/passkeys` and `/studio/session/passkey-sign-in`: docs/reference/sessions.md. */

const Token = Type.String({ maxLength: 200 })
const Base64 = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 100_000 })
const Credential = {
  id: Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1_400 }),
  rawId: Base64,
  type: Type.String({ maxLength: 40 }),
}

/** `RegistrationResponseJSON` of WebAuthn. */
const Registration = Type.Object({
  ...Credential,
  response: Type.Object({
    clientDataJSON: Base64,
    attestationObject: Base64,
    transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]+$', maxLength: 20 }), { maxItems: 10 })),
  }),
})

/** `AuthenticationResponseJSON` of WebAuthn. */
const Authentication = Type.Object({
  ...Credential,
  response: Type.Object({ clientDataJSON: Base64, authenticatorData: Base64, signature: Base64 }),
})

/** By a one-time link, or signed in. */
export const PasskeyOptionsRequest = Type.Object(
  { token: Type.Optional(Token), currentPassword: Type.Optional(Password) },
  { additionalProperties: false },
)

export const PasskeyRegistration = Type.Object(
  {
    token: Type.Optional(Token),
    name: Type.Optional(Type.String({ pattern: '\\S', 'x-maxTrimmedLength': 100 })),
    response: Registration,
  },
  { additionalProperties: false },
)

export const PasskeySignIn = Type.Object({ response: Authentication }, { additionalProperties: false })
