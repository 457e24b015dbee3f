import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import { Problem, refuseFaults } from '../../../values/problems.ts'
import { tokenHash } from '../../../values/token.ts'
import { passkeyPages, passkeyRoutes } from '../passkeys/passkey-routes.ts'
import { foldedName, signInCaller } from '../person.ts'
import { findLink } from '../person-store.ts'
import { attemptOf, waitMs } from '../sign-in/failed-sign-in.ts'
import { findFailures } from '../sign-in/failed-sign-in-store.ts'
import { openPasswords, passwordFaults } from '../sign-in/password.ts'
import { endOf, type Session } from './session.ts'
import {
  buyToken,
  changePassword,
  type NewSession,
  noteFailure,
  type Proof,
  refuseCurrent,
  refuseLink,
  refuseSession,
  signIn,
  signOut,
  usePasswordLink,
  wrongPassword,
} from './session-actions.ts'
import { NewPassword, SignIn, TokenRequest, Welcome } from './session-schema.ts'
import { type Credentials, findCredentials, findPassword, findSession, findSignedIn } from './session-store.ts'

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
  const { service, publicUrl, now, random } = parts
  const { db, perform, basePath } = service
  const place: StudioPlace = { publicUrl, basePath }
  const passwords = openPasswords(random)
  const [signInBody, welcomeBody, passwordBody, tokenBody] = [bodyOf(SignIn), bodyOf(Welcome), bodyOf(NewPassword), bodyOf(TokenRequest)]

  const act = async () => signInCaller(await now())
  const cookieOf = (request: FastifyRequest) => sessionTokenOf(request, place) ?? refuseSession()
  const sessionOf = async (request: FastifyRequest): Promise<Session> =>
    (await findSession(db, tokenHash(cookieOf(request)), await now())) ?? refuseSession()
  const send = async (reply: FastifyReply, session: Session) =>
    reply.send({ ...(await findSignedIn(db, session.personId)), expiresAt: endOf(session) })
  const begin = async (request: FastifyRequest, reply: FastifyReply, { session, token }: NewSession) => {
    const seconds = Math.floor((Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / 1_000)
    setSessionCookie(request, reply, place, token, seconds)
    return send(reply.code(201), session)
  }

  /** Compares a password in its turn. Failures are counted before the next one has its turn, so that no burst of tries gets through. */
  const check = async (
    request: FastifyRequest,
    account: string,
    password: string,
    find: () => Promise<Credentials | undefined>,
  ): Promise<Proof | undefined> => {
    const address = originAddress(request)
    const attempt = attemptOf(account, address)
    const refuseEarly = async () => requirePatience(waitMs(await findFailures(db, attempt), await now()))
    await refuseEarly()
    return passwords.inTurn(address, async (matches) => {
      await refuseEarly()
      // Read in the turn: another may have been set while this one waited.
      const found = await find()
      const stored = found?.password ?? null
      const isRight = await matches(password, stored)
      if (isRight && found && stored !== null) return { personId: found.personId, password: stored, attempt }
      await perform(noteFailure, await act(), attempt)
      return undefined
    })
  }

  /** The hash of the password of who is signed in, once they have typed it again; null where they have none. */
  const checkCurrent = async (request: FastifyRequest, { personId }: Session, typed = ''): Promise<string | null> => {
    const find = async () => ({ personId, password: await findPassword(db, personId) })
    if ((await find()).password === null) return null
    return ((await check(request, personId, typed, find)) ?? refuseCurrent()).password
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Cookie, Origin' })
    requireSameOrigin(request, place)
  })

  passkeyRoutes(app, { service, place, act, sessionOf, checkCurrent, begin, send })

  handle(app, sessionPages.read, async (request, reply) => send(reply, await sessionOf(request)))

  handle(app, sessionPages.signIn, async (request, reply) => {
    const { name, password } = accepted(signInBody(request))
    const folded = foldedName(name)
    const proof = await check(request, folded, password, () => findCredentials(db, folded))
    if (!proof) throw wrongPassword()
    return begin(request, reply, await perform(signIn, await act(), proof))
  })

  handle(app, sessionPages.signOut, async (request, reply) => {
    const cookie = sessionTokenOf(request, place)
    // Who is not signed in writes nothing.
    if (cookie !== undefined && (await findSession(db, tokenHash(cookie), await now()))) await perform(signOut, await act(), { cookie })
    dropSessionCookie(request, reply, place)
    return reply.code(204).send()
  })

  handle(app, sessionPages.welcome, async (request, reply) => {
    const { token } = accepted(welcomeBody(request))
    const link = (await findLink(db, tokenHash(token), await now())) ?? refuseLink()
    return reply.send({ name: link.name, expiresAt: link.expiresAt })
  })

  handle(app, sessionPages.password, async (request, reply) => {
    const { token, password, currentPassword } = accepted(passwordBody(request))
    refuseFaults(passwordFaults(password))
    if (token !== undefined) {
      if (!(await findLink(db, tokenHash(token), await now()))) refuseLink()
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

  handle(app, sessionPages.token, async (request, reply) => {
    const { projectId } = accepted(tokenBody(request))
    await sessionOf(request)
    return reply.code(201).send(await perform(buyToken, await act(), { cookie: cookieOf(request), projectId }))
  })
}

function requirePatience(ms: number): void {
  if (ms <= 0) return
  const seconds = Math.ceil(ms / 1_000)
  throw new Problem('rate_limited', `Too many sign-ins have failed; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
