import Type, { type Static } from 'typebox'
import { InstantOut, idSchema, listOf, nullable, oneOf, text, Version, WebUrl } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { mimeTypes } from './media.ts'

/** The limit of common file systems. */
const maxFilenameCodePoints = 255
/** Screen readers read it in one go. */
const maxAltCodePoints = 2_000

const Filename = Type.String({
  minLength: 1,
  maxLength: maxFilenameCodePoints,
  pattern: '^[^/]*$',
  description: 'A name, not a path.',
  examples: ['harbour.jpg'],
})
const Alt = text(maxAltCodePoints, { description: 'Alternative text; empty for decoration.', examples: ['The harbour at dusk'] })
const Pixels = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In pixels. 0 if unknown, or for an SVG without an intrinsic size.',
})

const asset = {
  url: WebUrl,
  filename: Filename,
  mimeType: oneOf(mimeTypes, { description: 'JPG, PNG, WebP, GIF or SVG.', examples: ['image/jpeg'] }),
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'In bytes. 0 if unknown.', examples: [48_213] }),
  width: Pixels,
  height: Pixels,
  alt: Alt,
}

export const Media = Type.Object(
  { id: idSchema('med'), ...asset, createdAt: InstantOut, updatedAt: InstantOut, version: Version },
  { title: 'Media' },
)

export const MediaList = listOf('MediaList', Media)

export const MediaCreate = Type.Object(asset, {
  title: 'MediaCreate',
  description: 'An asset that is stored elsewhere. Every field is required; `alt` may be empty.',
  additionalProperties: false,
})
export type MediaCreate = Static<typeof MediaCreate>

export const MediaPatch = Type.Object(
  { filename: Type.Optional(Filename), alt: Type.Optional(nullable(Alt)) },
  { title: 'MediaPatch', description: 'The fields to change. Fields that are left out stay as they are.', additionalProperties: false },
)
export type MediaPatch = Static<typeof MediaPatch>

export const mediaList = {
  noun: 'media',
  filters: {
    search: {
      kind: 'text',
      description: 'Case-insensitive substring of the file name or the alternative text.',
      example: 'harbour',
    },
    mime_type: {
      kind: 'many',
      description: `Any of ${mimeTypes.join(', ')}.`,
      example: 'image/png',
      values: mimeTypes,
    },
  },
  sorts: ['created_at', 'name'],
  defaultSort: { name: 'created_at', descending: true },
} as const satisfies ListSpec
