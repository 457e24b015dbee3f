import type { Post, Project, ProjectApi } from './verso.ts'

export function readProject({ verso }: ProjectApi, signal?: AbortSignal): Promise<Project> {
  return verso.request('GET /v1/project', {}, { signal })
}

type Placed = Pick<Post, 'slug' | 'publishedAt' | 'scheduledFor' | 'createdAt' | 'category'> & { readonly id?: string }

/** Where a post is on the site, by the project's permalink; none where the project has no site. */
export function addressOf({ siteUrl, permalink }: Project, post: Placed): string | undefined {
  if (siteUrl === null) return undefined
  const [day = ''] = (post.publishedAt ?? post.scheduledFor ?? post.createdAt).split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  const values: Readonly<Record<string, string>> = {
    slug: post.slug,
    id: post.id ?? '',
    year,
    month,
    day: date,
    category: post.category?.slug ?? '',
  }
  const path = (permalink ?? '/{slug}').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replace(/\/{2,}/g, '/')
  return siteUrl.replace(/\/+$/, '') + path
}
