/** The token of an Authorization header of the form `Bearer <token>` (RFC 6750 §2.1); none where it is missing or has another form. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([!-~]+) *$/i.exec(authorization)?.[1]
}
