import { reads, writes } from '../../http/route-config.ts'
import { Media, MediaCreate, MediaList, MediaPatch, mediaList } from './media-schema.ts'

const tag = 'Media'

/** What the documentation says of the routes of media. */
export const mediaOperations = {
  list: reads('media:read', {
    id: 'listMedia',
    tag,
    summary: 'List media records',
    description: 'Newest first. `sort=name` sorts by file name.',
    list: mediaList,
    answers: { 200: MediaList, 304: null },
  }),
  read: reads('media:read', {
    id: 'getMedia',
    tag,
    summary: 'Read a media record',
    answers: { 200: Media, 304: null },
    problems: ['not_found'],
  }),
  register: writes('media:write', {
    id: 'registerMedia',
    tag,
    summary: 'Register an asset that is stored elsewhere',
    description: 'Records the reference. No bytes are received, and the URL is never fetched.',
    body: MediaCreate,
    answers: { 201: Media },
    problems: ['unsupported_media_type'],
  }),
  patch: writes('media:write', {
    id: 'updateMedia',
    tag,
    summary: 'Change a media record',
    description: 'A JSON merge patch (RFC 7396) of `filename` and `alt`. `If-Match` guards against overwriting somebody else’s change.',
    body: MediaPatch,
    answers: { 200: Media },
    problems: ['not_found', 'stale_version'],
  }),
  delete: writes(
    'media:write',
    {
      id: 'deleteMedia',
      tag,
      summary: 'Delete a media record',
      description:
        'Deletes the record, never the asset. The record is erased after 30 days, or at once with `permanent=true`. Deleting what is deleted already is no mistake.',
      flags: { permanent: 'Erase the record at once.' },
      answers: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
}
