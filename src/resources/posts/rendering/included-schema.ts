import Type from 'typebox'
import { Count, text } from '../../../actions/validation/schema-types.ts'
import type { IncludeSpec } from '../../../lists/list-spec.ts'

/** What `include` offers. */
export const postIncludes = {
  html: { description: '`contentHtml`, the content as HTML that is safe in any page.' },
  toc: { description: '`toc`, the headings of `contentHtml`.' },
  reading_time: { description: '`readingTimeMinutes` and `wordCount`.' },
  media: { description: '`media`, the media records whose URL the post shows.', scope: 'media:read' },
} as const satisfies Readonly<Record<string, IncludeSpec>>

/** HTML has more characters than its Markdown. */
const maxHtmlCodePoints = 8 * 1024 * 1024
/** Each takes two bytes of the content. */
const maxHeadings = 512 * 1024
/** The most records of one post. */
export const maxMedia = 1_000

const Heading = Type.Object(
  {
    id: text(maxHtmlCodePoints, {
      description: 'The `id` of the heading in `contentHtml`, for links to it.',
      examples: ['user-content-install'],
    }),
    text: text(maxHtmlCodePoints, { examples: ['Install'] }),
    level: Type.Integer({ minimum: 1, maximum: 6, description: '1 for `h1`, 6 for `h6`.' }),
  },
  { title: 'Heading' },
)

/** The fields that `include` adds. */
export const includedFields = {
  contentHtml: Type.Optional(
    text(maxHtmlCodePoints, {
      description: 'With `include=html`: the content as HTML that is safe in any page.',
      examples: ['<h1 id="user-content-hello">Hello</h1>\n'],
    }),
  ),
  toc: Type.Optional(Type.Array(Heading, { maxItems: maxHeadings, description: 'With `include=toc`: the headings in order.' })),
  readingTimeMinutes: Type.Optional({ ...Count, description: 'With `include=reading_time`: rounded up.' }),
  wordCount: Type.Optional({ ...Count, description: 'With `include=reading_time`: words, or characters in Chinese and Japanese.' }),
  media: Type.Optional(
    Type.Array(Type.Unsafe<object>({ $ref: '#/components/schemas/Media' }), {
      maxItems: maxMedia,
      description: 'With `include=media`: the media records whose URL the post shows.',
    }),
  ),
}
