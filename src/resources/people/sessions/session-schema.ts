import Type from 'typebox'

/** The bodies of `/studio/session`: docs/reference/sessions.md. */

export const Password = Type.String({ maxLength: 4_000 })
const Token = Type.String({ maxLength: 200 })

export const SignIn = Type.Object({ name: Type.String({ maxLength: 400 }), password: Password }, { additionalProperties: false })

export const Welcome = Type.Object({ token: Token }, { additionalProperties: false })

/** By a one-time link, or signed in. */
export const NewPassword = Type.Object(
  { token: Type.Optional(Token), password: Password, currentPassword: Type.Optional(Password) },
  { additionalProperties: false },
)

export const TokenRequest = Type.Object({ projectId: Type.String({ maxLength: 100 }) }, { additionalProperties: false })
