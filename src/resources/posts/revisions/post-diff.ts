import type { Instant } from '../../../values/instant.ts'
import { noSeo } from '../post.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { lineDiff } from './line-diff.ts'
import type { PostDiff } from './post-revision-schema.ts'

/** A post as it stood, and since when it was in the trash. */
export interface Stood {
  readonly body: PostBody
  readonly deletedAt: Instant | null
}

const fields = ['title', 'slug', 'excerpt', 'status', 'publishedAt', 'scheduledFor', 'author', 'category', 'tags', 'seo'] as const

/** What is different between two versions of a post; against nothing, all that there is. */
export function diffOf(before: Stood | undefined, after: Stood): PostDiff {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  const changed = ([...fields, 'deletedAt'] as const).filter((field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]))
  return {
    id: after.body.id,
    version: after.body.version,
    against: before?.body.version ?? null,
    fields: changed.map((field) => ({ field, before: from[field], after: to[field] })),
    content: lineDiff(before?.body.content ?? '', after.body.content) ?? null,
  }
}

type Values = Readonly<Record<(typeof fields)[number] | 'deletedAt', unknown>>

const empty = { title: null, slug: null, excerpt: null, status: null, publishedAt: null, scheduledFor: null, author: null, category: null }

function valuesOf(stood: Stood | undefined): Values {
  return stood ? { ...stood.body, deletedAt: stood.deletedAt } : { ...empty, tags: [], seo: noSeo, deletedAt: null }
}
