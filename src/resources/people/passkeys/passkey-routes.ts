import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../actions/caller.ts'
import { accepted } from '../../../actions/validation/validated.ts'
import { originAddress } from '../../../http/limits/failed-authentications.ts'
import { isOwnOrigin, type StudioPlace } from '../../../http/request/session-cookie.ts'
import { bodyOf, optionalBodyOf } from '../../../http/request/validate-body.ts'
import { handle, studioSession } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import type { PersonId } from '../../../values/ids.ts'
import { parseUrl } from '../../../values/parse-url.ts'
import { refuseFaults } from '../../../values/problems.ts'
import { tokenHash } from '../../../values/token.ts'
import { findLink } from '../person-store.ts'
import type { Session } from '../sessions/session.ts'
import { type NewSession, refuseLink } from '../sessions/session-actions.ts'
import { findSignedIn } from '../sessions/session-store.ts'
import { limitChallenges } from './challenge-rate.ts'
import {
  addPasskey,
  askForPasskey,
  challengeMinutes,
  removePasskey,
  signInByPasskey,
  unknownPasskey,
  useChallenge,
  usePasskeyLink,
} from './passkey-actions.ts'
import { PasskeyOptionsRequest, PasskeyRegistration, PasskeySignIn } from './passkey-schema.ts'
import { findPasskey, hasChallenge, listPasskeyIds } from './passkey-store.ts'
import { challengeIn, type RelyingParty, verifyRegistration, verifySignature } from './verify-passkey.ts'

/** What the routes of sessions do alike. */
export interface SessionTools {
  readonly service: Service
  readonly place: StudioPlace
  act(): Promise<Caller>
  sessionOf(request: FastifyRequest): Promise<Session>
  /** 422 unless the password until now was typed again, where there is one. */
  checkCurrent(request: FastifyRequest, session: Session, typed: string | undefined): Promise<string | null>
  begin(request: FastifyRequest, reply: FastifyReply, session: NewSession): Promise<FastifyReply>
  send(reply: FastifyReply, session: Session): Promise<FastifyReply>
}

export const passkeyPages = {
  options: studioSession('POST /studio/session/passkeys/options', 'optional'),
  register: studioSession('POST /studio/session/passkeys', 'required'),
  remove: studioSession('DELETE /studio/session/passkeys/:id', 'none'),
  signInOptions: studioSession('POST /studio/session/passkey-sign-in/options', 'optional'),
  signInByPasskey: studioSession('POST /studio/session/passkey-sign-in', 'required'),
}

/** ES256, EdDSA and RS256, which is what authenticators know (COSE). */
const algorithms = [-7, -8, -257]

const timeout = challengeMinutes * 60_000

export function passkeyRoutes(app: FastifyInstance, tools: SessionTools): void {
  ownPasskeyRoutes(app, tools)
  signInRoutes(app, tools)
}

function ownPasskeyRoutes(app: FastifyInstance, { service, place, act, sessionOf, checkCurrent, begin, send }: SessionTools): void {
  const { db, perform } = service
  const optionsBody = optionalBodyOf(PasskeyOptionsRequest)
  const registrationBody = bodyOf(PasskeyRegistration)

  /** Who adds a passkey: whom the link is for, or who is signed in. */
  const personOf = async (request: FastifyRequest, link: string | undefined): Promise<PersonId> => {
    if (link === undefined) return (await sessionOf(request)).personId
    return ((await findLink(db, tokenHash(link), (await act()).now)) ?? refuseLink()).personId
  }

  handle(app, passkeyPages.options, async (request, reply) => {
    const { token, currentPassword } = accepted(optionsBody(request))
    const party = partyOf(request, place)
    // Without a challenge nobody adds a passkey, so this is where a session that somebody else has found open ends.
    if (token === undefined) await checkCurrent(request, await sessionOf(request), currentPassword)
    const personId = await personOf(request, token)
    const { person } = await findSignedIn(db, personId)
    // A link replaces them.
    const known = token === undefined ? await listPasskeyIds(db, personId) : []
    return reply.send({
      rp: { id: party.id, name: 'Verso' },
      user: { id: Buffer.from(personId).toString('base64url'), name: person.name, displayName: person.name },
      challenge: await perform(askForPasskey, await act(), { personId }),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout,
      attestation: 'none',
      excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
  })

  handle(app, passkeyPages.register, async (request, reply) => {
    const { token, name = 'Passkey', response } = accepted(registrationBody(request))
    const party = partyOf(request, place)
    const personId = await personOf(request, token)
    const challenge = challengeIn(response.response.clientDataJSON) ?? ''
    const asked = await perform(useChallenge, await act(), { challenge })
    const credential = asked?.personId === personId ? await verifyRegistration(response, challenge, party) : undefined
    if (!credential) return refuseRegistration()
    const { id, counter } = credential
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    const passkey = { id, personId, name: name.trim(), publicKey, counter, transports: response.response.transports ?? [] }
    if (token !== undefined) return begin(request, reply, await perform(usePasskeyLink, await act(), { link: token, passkey }))
    const session = await sessionOf(request)
    await perform(addPasskey, await act(), { session, passkey })
    return send(reply.code(201), session)
  })

  handle(app, passkeyPages.remove, async (request, reply) => {
    const session = await sessionOf(request)
    await perform(removePasskey, await act(), { session, id: request.params.id })
    return reply.code(204).send()
  })
}

function signInRoutes(app: FastifyInstance, { service, place, act, begin }: SessionTools): void {
  const { db, perform } = service
  const signInBody = bodyOf(PasskeySignIn)
  const admit = limitChallenges()

  handle(app, passkeyPages.signInOptions, async (request, reply) => {
    const { id } = partyOf(request, place)
    const caller = await act()
    admit(originAddress(request), Date.parse(caller.now))
    const challenge = await perform(askForPasskey, caller, { personId: null })
    return reply.send({ rpId: id, challenge, timeout, userVerification: 'required' })
  })

  handle(app, passkeyPages.signInByPasskey, async (request, reply) => {
    const { response } = accepted(signInBody(request))
    const party = partyOf(request, place)
    const challenge = challengeIn(response.response.clientDataJSON) ?? ''
    const caller = await act()
    // Whoever makes a challenge up writes nothing.
    if (!(await hasChallenge(db, tokenHash(challenge), caller.now))) throw unknownPasskey()
    const asked = await perform(useChallenge, caller, { challenge })
    const passkey = asked?.personId === null ? await findPasskey(db, response.id) : undefined
    const counter = passkey && (await verifySignature(response, challenge, party, passkey))
    if (!passkey || counter === undefined) throw unknownPasskey()
    return begin(request, reply, await perform(signInByPasskey, await act(), { passkey, counter }))
  })
}

/** The host of the public URL, or `localhost`: browsers know passkeys for a name that stays, and for no address. */
function partyOf(request: FastifyRequest, place: StudioPlace): RelyingParty {
  const { origin = '' } = request.headers
  const url = parseUrl(origin)
  if (origin === place.publicUrl?.origin) return { id: place.publicUrl.hostname, origin }
  if (url?.hostname === 'localhost' && isOwnOrigin(origin, request, place)) return { id: 'localhost', origin }
  const detail = 'Passkeys work at VERSO_PUBLIC_URL and at localhost; this page is elsewhere. Set a password, or open the studio there.'
  refuseFaults([{ pointer: '', code: 'not_allowed', detail }])
  throw new Error('a fault was not refused')
}

function refuseRegistration(): never {
  refuseFaults([{ pointer: '/response', code: 'invalid', detail: 'The passkey could not be checked, or it took too long; try again.' }])
  throw new Error('a fault was not refused')
}
