import Type, { type Static } from 'typebox'
import {
  InstantIn,
  InstantOut,
  idSchema,
  line,
  listOf,
  nullable,
  oneOf,
  Slug,
  text,
  Version,
  WebUrl,
} from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { statuses } from './post.ts'
import { includedFields, postIncludes } from './rendering/included-schema.ts'

/** UTF-8 bytes. Revisions keep every version of it. */
const maxContentBytes = 1024 * 1024
const maxTags = 50
const maxAliases = 50
/** UTF-8 bytes. Keys of an index on PostgreSQL have at most 2,704. */
const maxAliasBytes = 2_048

const Title = line(300, { description: 'White space at both ends is removed.', examples: ['Hello, world'] })
const Content = Type.String({ 'x-maxBytes': maxContentBytes, description: 'Markdown, stored byte for byte.', examples: ['# Hello'] })
const Excerpt = nullable(text(1_000), { description: 'For listings, RSS and social cards.' })
const Status = oneOf(statuses, { examples: ['published'] })
const Tags = Type.Unsafe<readonly string[]>(
  Type.Array(line(80), {
    maxItems: maxTags,
    description: 'Names, in their spelling and order. Of two spellings of a tag, the first is kept.',
    examples: [['news', 'Node.js']],
  }),
)
const Aliases = Type.Unsafe<readonly string[]>(
  Type.Array(
    Type.String({
      format: 'site-path',
      'x-maxBytes': maxAliasBytes,
      examples: ['/2019/03/old-name/'],
    }),
    {
      maxItems: maxAliases,
      description:
        'Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project.',
      examples: [['/2019/03/old-name/', '/?p=17']],
    },
  ),
)

const seoFields = {
  title: nullable(text(300)),
  description: nullable(text(1_000)),
  canonicalUrl: nullable(WebUrl),
  ogImage: nullable(WebUrl),
}

export const ownFields = {
  id: idSchema('post'),
  title: Title,
  slug: Slug,
  content: Content,
  excerpt: Excerpt,
  status: Status,
  publishedAt: nullable(InstantOut, { description: 'Set when the post is published.' }),
  scheduledFor: nullable(InstantOut, { description: 'Set when the post is scheduled.' }),
  author: nullable(Type.Object({ id: idSchema('auth'), name: text(300) })),
  category: nullable(Type.Object({ id: idSchema('cat'), name: text(200), slug: Slug })),
  hasPendingEdit: Type.Boolean({
    description: 'Whether an edit of the post is saved but not applied. Always `false` without `posts:read_drafts`, and in revisions.',
  }),
  tags: Tags,
  tagSlugs: Type.Unsafe<readonly string[]>(
    Type.Array(Slug, { maxItems: maxTags, description: 'The slugs of the tags, in the same order.', examples: [['news', 'node-js']] }),
  ),
  aliases: Aliases,
  seo: Type.Object(seoFields),
  createdAt: InstantOut,
  updatedAt: InstantOut,
  version: Version,
}

/** The fields of a post, in their order, without those that a request includes. */
export const postFieldNames = Object.keys(ownFields) as readonly (keyof typeof ownFields)[]

export const Post = Type.Object({ ...ownFields, ...includedFields }, { title: 'Post' })
export type Post = Static<typeof Post>

/** A post in a list. The request may select fields. */
export type ListedPost = Partial<Post> & Pick<Post, 'id'>

export const PostList = listOf('PostList', Post)

const optional = {
  slug: Type.Optional(Slug),
  content: Type.Optional(nullable(Content)),
  excerpt: Type.Optional(Excerpt),
  status: Type.Optional(Status),
  publishedAt: Type.Optional(nullable(InstantIn, { description: 'Not in the future. Allowed with the status published or archived.' })),
  scheduledFor: Type.Optional(nullable(InstantIn, { description: 'In the future. Required with the status scheduled.' })),
  authorId: Type.Optional(nullable(Type.String({ maxLength: 64 }), { description: 'The id of an author.' })),
  categoryId: Type.Optional(nullable(Type.String({ maxLength: 100 }), { description: 'The id or slug of a category.' })),
  tags: Type.Optional(nullable(Tags)),
  aliases: Type.Optional(nullable(Aliases)),
  seo: Type.Optional(nullable(Type.Partial(Type.Object(seoFields), { additionalProperties: false }))),
}

export const PostCreate = Type.Object(
  { title: Title, ...optional },
  { title: 'PostCreate', description: 'A new post. Only `title` is required.', additionalProperties: false },
)
export type PostCreate = Static<typeof PostCreate>

export const PostPatch = Type.Object(
  { title: Type.Optional(Title), ...optional },
  {
    title: 'PostPatch',
    description: 'The fields to change. Fields that are left out stay as they are; `null` empties a field.',
    additionalProperties: false,
  },
)
export type PostPatch = Static<typeof PostPatch>

/** Restores a post from the trash, with a new slug or other aliases if the old ones are taken. */
export const PostRestore = Type.Object(
  { slug: Type.Optional(Slug), aliases: Type.Optional(Aliases) },
  { title: 'PostRestore', description: 'Nothing, or another slug and other aliases.', additionalProperties: false },
)
export type PostRestore = Static<typeof PostRestore>

export const postList = {
  noun: 'posts',
  filters: {
    status: {
      kind: 'many',
      description: 'Any of draft, scheduled, published, archived. Without it, every status that the key may see.',
      example: 'published',
      values: statuses,
      guarded: { scope: 'posts:read_drafts', open: ['published'] },
    },
    category: { kind: 'many', description: 'Category slugs: posts in any of them.', example: 'releases' },
    tag: { kind: 'many', description: 'Tag slugs: posts with any of them.', example: 'news' },
    author: { kind: 'many', description: 'Author ids: posts by any of them.', example: 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc' },
    search: { kind: 'text', description: 'Case-insensitive substring of the title.', example: 'hello' },
    q: {
      kind: 'text',
      description:
        'Finds posts that have all of these words in title, excerpt or content. Posts with all words in the title come first, then those with all in the excerpt, then in the content, then the rest; within each group the newest first. A `sort` replaces this order.',
      example: 'release notes',
    },
    published_after: { kind: 'instant', description: 'Published at this instant or after it.', example: '2026-01-01T00:00:00Z' },
    published_before: { kind: 'instant', description: 'Published before this instant.', example: '2027-01-01T00:00:00Z' },
    updated_after: { kind: 'instant', description: 'Changed at this instant or after it.', example: '2026-01-01T00:00:00Z' },
    trashed: {
      kind: 'flag',
      description: 'Lists the trash instead.',
      example: 'true',
      values: ['true'],
      guarded: { scope: 'posts:read_drafts', open: [] },
    },
  },
  sorts: ['published_at', 'created_at', 'updated_at', 'scheduled_for', 'title', 'slug', 'status'],
  defaultSort: { name: 'published_at', descending: true },
  rankedBy: 'q',
  fields: postFieldNames,
  includes: postIncludes,
} as const satisfies ListSpec
