/** The texts of an export do not say where its site is, and nobody else does. */
export class MissingSiteUrl extends Error {
  constructor() {
    super(`it has ${siteUrlMark} in place of the address of the site; name it with --site-url, such as --site-url https://example.com`)
  }
}

/** What stands in texts for the address of the site. */
export const siteUrlMark = '__GHOST_URL__'
