/** Fields of plugins that show a post to members alone, unless they have one of these values. */
export const memberFields = [
  '_members_access_role',
  'rcp_access_level',
  'rcp_user_level',
  'rcp_subscription_level',
  '_is_paid',
  '_jetpack_newsletter_access',
  '_wpmem_block',
  '_groups-groups_read_post',
  'groups-groups_read_post',
  '_memberful_acl',
  'memberful_acl',
  's2member_ccaps_req',
  'ppw_is_protected',
] as const
const forEverybody = /^(?:|0|no|none|all|everybody|false|a:0:\{\}|a:1:\{i:0;s:3:"all";\})$/i
/** Ultimate Member's field holds all of its settings. */
export const ultimateMember = 'um_content_restriction'

/** Shortcodes of such plugins around a part of a text. */
const knownShortcodes =
  /^(?:restrict|members?(?:[_-]only)?|membership|private|loggedin|is_paid|s2if|ihc-hide-content|(?:wlm|rcp|um|mepr|pmpro)[_-].+)$/i
/** In the name of a shortcode around a part of a text, or of a block: others may not see it. */
const telling = /restrict|protect|paywall|passster|ppwp|premium-content|subscriber|logged[_-]?in|hide[_-]from|members?[_-]?only|memberful/i
const shortcodeName = /\[([a-z][a-z0-9_-]{1,40})(?=[\s\]])/gi
const blockName = /<!--\s*wp:([a-z][a-z0-9/-]*)/g
/** How WordPress itself, and Block Visibility, say in a block that not everybody sees it. */
const hiddenBlock = ['"blockVisibility":false', '"hideBlock":true', '"visibilityByRole"']

/** Why not everybody could read all of a post; undefined if nothing says so. `meta` reads a custom field. */
export function whyNotForAll(meta: (name: string) => string, content: string): string | undefined {
  const field =
    memberFields.find((name) => !forEverybody.test(meta(name))) ?? (isRestricted(meta(ultimateMember)) ? ultimateMember : undefined)
  if (field !== undefined) return `its field ${field} keeps it for members`
  const shortcode = names(content, shortcodeName).find(
    (name) => knownShortcodes.test(name) || (telling.test(name) && content.includes(`[/${name}]`)),
  )
  if (shortcode !== undefined) return `its shortcode [${shortcode}] keeps a part of it for members`
  const block = names(content, blockName).find((name) => telling.test(name))
  if (block !== undefined) return `its block ${block} keeps a part of it for members`
  return hiddenBlock.some((setting) => content.includes(setting)) ? 'one of its blocks was hidden' : undefined
}

function isRestricted(settings: string): boolean {
  return /_um_custom_access_settings";(?:b:1|i:1|s:1:"1")/.test(settings) && /_um_accessible";(?:i:2|s:1:"2")/.test(settings)
}

function names(content: string, pattern: RegExp): readonly string[] {
  return [...new Set([...content.matchAll(pattern)].map(([, name = '']) => name))]
}
