import type { Integration } from './astro-types.ts'

export interface IntegrationOptions {
  /** Where posts are on the site, such as `/posts/{slug}`: the permalink of the project. */
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
      'astro:config:setup': ({ injectRoute, injectScript }) => {
        if (redirects) injectRoute({ pattern: '/[...from]', entrypoint: '@verso/astro/redirect.astro', prerender: true })
        if (preview !== undefined) injectScript('head-inline', previewScript(permalink, preview))
      },
    },
  }
}

/** A draft has no page yet, and a page that was built shows what is published. So whoever comes with a token goes to the preview. */
function previewScript(permalink: string, preview: string): string {
  const pattern = permalink
    .replace(/\/$/, '')
    .split('{slug}')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const [before = '', after = ''] = preview.split('{slug}')
  return [
    `if(/[?&]preview_token=/.test(location.search)){`,
    `const m=/^${pattern.join('([a-z0-9-]+)')}\\/?$/.exec(location.pathname);`,
    `if(m)location.replace(${JSON.stringify(before)}+m[1]+${JSON.stringify(after)}+location.search)}`,
  ].join('')
}
