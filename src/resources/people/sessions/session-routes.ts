import type { FastifyInstance, FastifyReply } from 'fastify'
import { accepted } from '../../../actions/validation/validated.ts'
import { originAddress } from '../../../http/limits/failed-authentications.ts'
import {
  dropSessionCookie,
  requireSameOrigin,
  type StudioPlace,
  sessionTokenOf,
  setSessionCookie,
} from '../../../http/request/session-cookie.ts'
import { bodyOf } from '../../../http/request/validate-body.ts'
import { handle, studioSession } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import type { Random } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { refuseFaults } from '../../../values/problems.ts'
import { tokenHash } from '../../../values/token.ts'
import { passkeyPages, passkeyRoutes, type SessionTools } from '../passkeys/passkey-routes.ts'
import { foldedName, signInCaller } from '../person.ts'
import { findLink } from '../person-store.ts'
import { openPasswords, type Passwords, passwordFaults } from '../sign-in/password.ts'
import { openPasswordCheck, type PasswordCheck } from '../sign-in/password-check.ts'
import { endOf, type Session } from './session.ts'
import { buyToken, changePassword, refuseLink, refuseSession, signIn, signOut, usePasswordLink, wrongPassword } from './session-actions.ts'
import { NewPassword, SignIn, TokenRequest, Welcome } from './session-schema.ts'
import { findCredentials, findSession, findSignedIn } from './session-store.ts'

export interface SessionParts {
  readonly service: Service
  readonly publicUrl: URL | undefined
  readonly random: Random
  now(): Promise<Instant>
}

/** Sessions of the studio, for browsers on its own pages: docs/reference/sessions.md. `/v1` has no part in them. */
export const sessionPages = {
  read: studioSession('GET /studio/session', 'none'),
  signIn: studioSession('POST /studio/session', 'required'),
  signOut: studioSession('DELETE /studio/session', 'none'),
  welcome: studioSession('POST /studio/session/welcome', 'required'),
  password: studioSession('POST /studio/session/password', 'required'),
  token: studioSession('POST /studio/session/token', 'required'),
  ...passkeyPages,
}

export function sessionRoutes(app: FastifyInstance, parts: SessionParts): void {
  app.register(async (studio) => addRoutes(studio, parts))
}

function addRoutes(app: FastifyInstance, parts: SessionParts): void {
  const tools = sessionTools(parts)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Cookie, Origin' })
    requireSameOrigin(request, tools.place)
  })
  passkeyRoutes(app, tools)
  signInRoutes(app, tools)
  passwordRoutes(app, tools)
  tokenRoutes(app, tools)
}

interface Tools extends SessionTools {
  readonly passwords: Passwords
  readonly check: PasswordCheck
}

function sessionTools({ service, publicUrl, now, random }: SessionParts): Tools {
  const { db, perform, basePath } = service
  const place: StudioPlace = { publicUrl, basePath }
  const passwords = openPasswords(random)
  const act = async () => signInCaller(await now())
  const check = openPasswordCheck({ db, perform, passwords, act })
  const send = async (reply: FastifyReply, session: Session) =>
    reply.send({ ...(await findSignedIn(db, session.personId)), expiresAt: endOf(session) })
  return {
    service,
    place,
    passwords,
    check,
    act,
    async sessionOf(request) {
      const cookie = sessionTokenOf(request, place) ?? refuseSession()
      return (await findSession(db, tokenHash(cookie), (await act()).now)) ?? refuseSession()
    },
    checkCurrent: (request, session, typed = '') => check.requireCurrent(originAddress(request), session, typed),
    async begin(request, reply, { session, token }) {
      const maxAgeSeconds = Math.floor((Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / 1_000)
      setSessionCookie(request, reply, place, { token, maxAgeSeconds })
      return send(reply.code(201), session)
    },
    send,
  }
}

function signInRoutes(app: FastifyInstance, { service, place, check, act, sessionOf, begin, send }: Tools): void {
  const { db, perform } = service
  const signInBody = bodyOf(SignIn)

  handle(app, sessionPages.read, async (request, reply) => send(reply, await sessionOf(request)))

  handle(app, sessionPages.signIn, async (request, reply) => {
    const { name, password } = accepted(signInBody(request))
    const account = foldedName(name)
    const proof = await check.prove({
      address: originAddress(request),
      account,
      password,
      find: () => findCredentials(db, account),
    })
    if (!proof) throw wrongPassword()
    return begin(request, reply, await perform(signIn, await act(), proof))
  })

  handle(app, sessionPages.signOut, async (request, reply) => {
    const cookie = sessionTokenOf(request, place)
    // A browser that is not signed in writes nothing.
    if (cookie !== undefined && (await findSession(db, tokenHash(cookie), (await act()).now)))
      await perform(signOut, await act(), { cookie })
    dropSessionCookie(request, reply, place)
    return reply.code(204).send()
  })
}

function passwordRoutes(app: FastifyInstance, { service, passwords, act, sessionOf, checkCurrent, begin, send }: Tools): void {
  const { db, perform } = service
  const [welcomeBody, passwordBody] = [bodyOf(Welcome), bodyOf(NewPassword)]
  const linkOf = async (token: string) => (await findLink(db, tokenHash(token), (await act()).now)) ?? refuseLink()

  handle(app, sessionPages.welcome, async (request, reply) => {
    const { name, expiresAt } = await linkOf(accepted(welcomeBody(request)).token)
    return reply.send({ name, expiresAt })
  })

  handle(app, sessionPages.password, async (request, reply) => {
    const { token, password, currentPassword } = accepted(passwordBody(request))
    refuseFaults(passwordFaults(password))
    if (token !== undefined) {
      await linkOf(token)
      const opened = await passwords.hash(originAddress(request), password, async (hash) =>
        perform(usePasswordLink, await act(), { link: token, hash }),
      )
      return begin(request, reply, opened)
    }
    const session = await sessionOf(request)
    const before = await checkCurrent(request, session, currentPassword)
    await passwords.hash(originAddress(request), password, async (hash) => perform(changePassword, await act(), { session, before, hash }))
    return send(reply, session)
  })
}

function tokenRoutes(app: FastifyInstance, { service, place, act, sessionOf }: Tools): void {
  const tokenBody = bodyOf(TokenRequest)

  handle(app, sessionPages.token, async (request, reply) => {
    const { projectId } = accepted(tokenBody(request))
    await sessionOf(request)
    const cookie = sessionTokenOf(request, place) ?? refuseSession()
    return reply.code(201).send(await service.perform(buyToken, await act(), { cookie, projectId }))
  })
}
