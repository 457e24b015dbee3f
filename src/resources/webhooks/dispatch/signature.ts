import { createHmac } from 'node:crypto'
import type { Random } from '../../../values/ids.ts'

/** Of the Standard Webhooks specification: secrets have 24 to 64 bytes. */
const leastBytes = 24
const mostBytes = 64
const newBytes = 32
const prefix = 'whsec_'

/** A new signing secret: `whsec_` and base64 (Standard Webhooks, "symmetric"). */
export function newSecret(random: Random): string {
  return prefix + Buffer.from(random(newBytes)).toString('base64')
}

/** Whether a text is a valid secret: canonical base64 of an allowed length, so that every library derives the same key. */
export function isSecret(text: string): boolean {
  const encoded = text.slice(prefix.length)
  const bytes = keyOf(text)
  return text.startsWith(prefix) && bytes.toString('base64') === encoded && bytes.length >= leastBytes && bytes.length <= mostBytes
}

interface Message {
  readonly id: string
  /** When this try was made, in seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** `webhook-signature`: one signature per secret, separated by spaces. */
export function sign(secrets: readonly string[], { id, timestamp, body }: Message): string {
  const signed = `${id}.${timestamp}.${body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`).join(' ')
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
