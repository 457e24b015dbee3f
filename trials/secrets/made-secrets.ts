import type { World } from './world.ts'

/** Everything that is shown once, made over HTTP and by commands. */
export async function makeSecrets({ canaries, secret, admin, ask, command }: World, round: number): Promise<void> {
  const make = async (name: string, path: string, body: object, key = admin) => {
    const idempotent = { 'idempotency-key': `${name} ${round}` }
    const { text } = await ask('POST', path, { key, body: JSON.stringify(body), headers: idempotent })
    const {
      id,
      token,
      secret: made,
    } = JSON.parse(text.slice(text.lastIndexOf(']{') + 1)) as { id: string; token?: string; secret?: string }
    const shown = token ?? made
    if (!shown) throw new Error(`no secret was made: ${text}`)
    canaries.add(`${name} ${id}`, shown)
    canaries.look(`answer to POST ${path}`, text, shown)
    const replay = await ask('POST', path, { key, body: JSON.stringify(body), headers: idempotent })
    canaries.look(`replay of POST ${path}`, replay.text, shown)
    return id
  }
  const key = await make('key', '/v1/admin/keys', { name: 'canary', kind: 'secret' })
  await make('rotated key', `/v1/admin/keys/${key}/rotate`, {})
  const webhook = await make('webhook secret', '/v1/admin/webhooks', { url: 'https://example.com/hook' })
  await make('rotated webhook secret', `/v1/admin/webhooks/${webhook}/rotate-secret`, {})
  const post = await ask('POST', '/v1/posts', { key: secret, body: JSON.stringify({ title: 'Canary' }) })
  const { id } = JSON.parse(post.text.slice(post.text.lastIndexOf(']{') + 1)) as { id: string }
  await make('preview token', `/v1/posts/${id}/preview-tokens`, {}, secret)
  canaries.add(`key of a command ${key}`, await command(['key', 'create', '--kind', 'public', '--name', 'command']))
  await signIn({ canaries, admin, ask, command }, key)
  canaries.add(`webhook of a command ${key}`, await command(['webhook', 'create', 'https://example.com/other']))
}

/** A person with a link, a password, a session and its token. */
async function signIn(
  { canaries, admin, ask, command }: Pick<World, 'canaries' | 'admin' | 'ask' | 'command'>,
  mark: string,
): Promise<void> {
  const find = (text: string, prefix: string) => canaries.add(`${prefix} ${mark}`, new RegExp(`${prefix}_\\w+`).exec(text)?.[0] ?? '')
  const named = `person ${mark}`
  const invited = await ask('POST', '/v1/admin/people', { key: admin, body: JSON.stringify({ name: named, role: 'owner' }) })
  canaries.look('answer to an invitation', invited.text, find(invited.text, 'verso_link'))
  const printed = await command(['person', 'invite', named])
  canaries.add(`link of a command ${mark}`, printed.split('#')[1] ?? '')
  const password = canaries.add(`password ${mark}`, `canary ${mark} password`)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const body = JSON.stringify({ token: printed.split('#')[1], password })
  const signed = await ask('POST', '/studio/session/password', { headers, body })
  const cookie = find(signed.text, 'verso_studio')
  canaries.look('answer to a new password', signed.text, cookie)
  const again = await ask('POST', '/studio/session', { headers, body: JSON.stringify({ name: named, password: `${password} x` }) })
  canaries.look('answer to a wrong password', again.text)
  const projectId = /prj_\w+/.exec(signed.text)?.[0]
  const asked = { headers: { ...headers, cookie: `verso-studio=${cookie}` }, body: JSON.stringify({ projectId }) }
  const bought = await ask('POST', '/studio/session/token', asked)
  canaries.look('answer to a token', bought.text, find(bought.text, 'verso_sess'))
}

export const erasedWord = 'word of an erased post'

/** Erases a post for good, with its revisions and the stored answers to its writes. */
export async function erase({ canaries, ask, secret }: World, word: string): Promise<void> {
  const write = (method: string, path: string, body?: object) =>
    ask(method, path, { key: secret, body: body && JSON.stringify(body), headers: { 'idempotency-key': `${method} ${path} erased` } })
  const content = Array.from({ length: 200 }, () => word).join(' ')
  const { text } = await write('POST', '/v1/posts', { title: word, content, status: 'published' })
  const path = `/v1/posts/${/post_\w+/.exec(text)?.[0]}`
  const edited = await write('PATCH', path, { title: `${word} again`, excerpt: word, content: `${content} again` })
  const { status } = await ask('DELETE', `${path}?permanent=true`, { key: secret })
  if (edited.status !== 200 || status !== 204) throw new Error(`the post was not erased: ${edited.text} ${status}`)
  canaries.add(erasedWord, word)
}
