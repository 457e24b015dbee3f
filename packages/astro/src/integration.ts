import type { Integration } from './astro-types.ts'

export interface IntegrationOptions {
  /** Where posts are on the site, such as `/posts/{slug}`: the permalink of the project, with any of its placeholders. */
  readonly permalink?: string
  /** Where the site shows previews, such as `/preview/{slug}`: the links that Verso makes for preview tokens lead there. */
  readonly preview?: string
  /** Makes a page for each redirect of the collection `redirects`. */
  readonly redirects?: boolean
}

/** What a site on Verso needs besides its collections. */
export function verso({ permalink = '/{slug}', preview, redirects = false }: IntegrationOptions = {}): Integration {
  return {
    name: '@verso/astro',
    hooks: {
      'astro:config:setup': ({ config: { base }, injectRoute, injectScript }) => {
        if (redirects) injectRoute({ pattern: '/[...from]', entrypoint: '@verso/astro/redirect.astro', prerender: true })
        if (preview !== undefined) injectScript('head-inline', previewScript(onSite(base, permalink), onSite(base, preview)))
      },
    },
  }
}

/** A path below the base of the site, which may have been written with it. */
function onSite(base: string, path: string): string {
  const start = base.replace(/\/$/, '')
  return path.startsWith(`${start}/`) ? path : start + path
}

/** What a permalink may hold in braces, and the category. */
const forms: Readonly<Record<string, string>> = {
  slug: '[a-z0-9-]+',
  id: 'post_[0-9a-z]+',
  year: '\\d{4}',
  month: '\\d\\d',
  day: '\\d\\d',
}

/** A draft has no page yet, and a page that was built shows what is published. So whoever comes with a token goes to the preview. */
function previewScript(permalink: string, preview: string): string {
  const [before = '', after = ''] = preview.split('{slug}')
  return [
    `if(/[?&]preview_token=/.test(location.search)){`,
    `const m=/^${patternOf(permalink)}\\/?$/.exec(location.pathname);`,
    `const to=m&&${JSON.stringify(before)}+m[1]+${JSON.stringify(after)};`,
    // The preview itself may look like a post in a category.
    `if(m&&to!==location.pathname.replace(/\\/$/,''))location.replace(to+location.search)}`,
  ].join('')
}

/** A regular expression for the paths of posts, whose first group is the slug, or the id where there is no slug. A post without a category has no segment for it. */
function patternOf(permalink: string): string {
  const name = permalink.includes('{slug}') ? 'slug' : 'id'
  return permalink
    .replace(/\/$/, '')
    .replace(/[\\^$.*+?()[\]|/]/g, '\\$&')
    .replace(/\{category\}(\\\/)?/g, (_, slash = '') => `(?:[a-z0-9-]+${slash})?`)
    .replace(/\{(\w+)\}/g, (each, part: string) => (part === name ? `(${forms[part]})` : (forms[part] ?? each)))
}
