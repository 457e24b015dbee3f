import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const present = 0x01
const verified = 0x04
const withKey = 0x40

export interface Asked {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
  /** False for an authenticator that does not ask who its user is. */
  readonly isVerified?: boolean
  readonly counter?: number
}

/** A passkey in software: what a browser and an authenticator send together (WebAuthn §5.1, §6.1), ES256. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const clientData = (type: string, { challenge, origin }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = ({ rpId, isVerified = true, counter = 0 }: Asked, more = 0) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([present | (isVerified ? verified : 0) | more]), count])
  }
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  return {
    id: credential.id,
    register(asked: Asked) {
      // A COSE key: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([head(asked, withKey), Buffer.alloc(16), length, id, key])
      // A CBOR map: fmt "none", attStmt {}, authData.
      const start = Buffer.concat([Buffer.from([0xa3, 0x63]), Buffer.from('fmt'), Buffer.from([0x64]), Buffer.from('none')])
      const middle = Buffer.concat([Buffer.from([0x67]), Buffer.from('attStmt'), Buffer.from([0xa0, 0x68]), Buffer.from('authData')])
      const attestationObject = Buffer.concat([start, middle, Buffer.from([0x58, authData.length]), authData])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      }
    },
    sign(asked: Asked) {
      const data = clientData('webauthn.get', asked)
      const authenticatorData = head(asked)
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(data)]))
        .sign(privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
        clientExtensionResults: {},
      }
    },
  }
}
