/** Where the studio is served, with a slash at its end: its scripts lie in `assets/` below it. */
export const studioUrl = new URL('..', import.meta.url)

/** Where Verso is served, with a slash at its end. */
export const serviceUrl = new URL('..', studioUrl)

/** The style sheet of previews. The page names it, for its own name changes with what is in it. */
export function previewStyleUrl(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name=preview-style]')?.content ?? ''
  return new URL(named.replace(/^.*assets\//, 'assets/'), studioUrl).href
}
