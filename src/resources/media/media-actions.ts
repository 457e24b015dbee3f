import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { isInLog, recordChange } from '../../actions/change-log/change-log-store.ts'
import { eraseResponsesWith } from '../../actions/idempotency/stored-response-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { isId, type MediaId, newId } from '../../values/ids.ts'
import { notFound, Problem } from '../../values/problems.ts'
import { createMedia, editMedia, type Media, type MediaChange } from './media.ts'
import type { MediaCreate, MediaPatch } from './media-schema.ts'
import { eraseMedia, findMedia, hideMedia, insertMedia, listExpiredMedia, saveMedia } from './media-store.ts'

const noun = 'media record'

/** Stores the record of an asset. The asset itself is never fetched. */
export const registerMedia: Action<{ readonly body: Validated<MediaCreate> }, Media> = {
  name: 'media.register',
  async run(tx, caller, { body }, random) {
    const change = createMedia(newId('med', caller.now, random), acceptedAsset(body), caller.now)
    await insertMedia(tx, caller.projectId, change.media)
    return finishWrite(tx, caller, change)
  },
}

/** Changes a record by a merge patch (RFC 7396). Problems come in the order 404, 412, 422. */
export const patchMedia: Action<{ readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<MediaPatch> }, Media> = {
  name: 'media.patch',
  async run(tx, caller, { id, ifMatch, body }) {
    const media = await findMedia(tx, caller.projectId, id)
    if (!media) throw notFound(noun)
    requireVersion(noun, media.version, ifMatch)
    const { alt, ...edits } = accepted(body)
    const change = editMedia(media, { ...edits, ...(alt !== undefined && { alt: alt ?? '' }) }, caller.now)
    if (change.news.length > 0 && !(await saveMedia(tx, caller.projectId, media, change.media))) throw new WriteConflict(noun)
    return finishWrite(tx, caller, change)
  },
}

interface Deletion {
  readonly id: string
  readonly ifMatch: VersionCheck
  /** Erases the record at once instead of after 30 days. */
  readonly permanent: boolean
}

/** Hides a record, or erases it. Deleting a deleted record changes nothing. */
export const deleteMedia: Action<Deletion, void> = {
  name: 'media.delete',
  async run(tx, caller, { id, ifMatch, permanent }) {
    const media = await findMedia(tx, caller.projectId, id)
    if (!media) return deleteAgain(tx, caller, id, permanent)
    requireVersion(noun, media.version, ifMatch)
    if (!(await hideMedia(tx, caller.projectId, media, caller.now))) throw new WriteConflict(noun)
    if (permanent) await erase(tx, caller, media.id)
    const version = media.version + 1
    await recordChange(tx, caller, {
      kind: 'media',
      id: media.id,
      version,
      news: ['media.deleted'],
      publicBefore: true,
      publicAfter: false,
    })
  },
}

/** Erases expired records, and returns their number. No key could see them any more, so the log has no change. */
export const purgeMedia: Action<{ readonly most: number }, number> = {
  name: 'media.purge',
  async run(tx, caller, { most }) {
    const ids = await listExpiredMedia(tx, caller.projectId, trashHorizon(caller.now), most)
    for (const id of ids) await eraseMedia(tx, caller.projectId, id)
    return ids.length
  },
}

/** The asset, or 422; `unsupported_media_type` if the type is the only fault. */
function acceptedAsset(body: Validated<MediaCreate>): MediaCreate {
  const faults = body.ok ? [] : body.faults
  const [only] = faults.length === 1 ? faults : []
  if (only && 'pointer' in only && only.pointer === '/mimeType' && only.code === 'not_allowed')
    throw new Problem('unsupported_media_type', only.detail, { errors: faults })
  return accepted(body)
}

/** 404, unless this is the id of a record that was deleted; `permanent` erases what is left of it. */
async function deleteAgain(tx: Tx, caller: Caller, id: string, permanent: boolean): Promise<void> {
  if (!isId('med', id) || !(await isInLog(tx, caller.projectId, id))) throw notFound(noun)
  const version = permanent ? await erase(tx, caller, id) : undefined
  if (version === undefined) return
  await recordChange(tx, caller, { kind: 'media', id, version: version + 1, news: [], publicBefore: false, publicAfter: false })
}

async function erase(tx: Tx, { projectId }: Caller, id: MediaId): Promise<number | undefined> {
  await eraseResponsesWith(tx, projectId, id)
  return eraseMedia(tx, projectId, id)
}

/** Media have no draft state: keys that may read media see all of them. */
async function finishWrite(tx: Tx, caller: Caller, { media, news }: MediaChange): Promise<Media> {
  const { id, version } = media
  if (news.length > 0) await recordChange(tx, caller, { kind: 'media', id, version, news, publicBefore: version > 1, publicAfter: true })
  return media
}
