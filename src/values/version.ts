import { createRequire } from 'node:module'

const manifest = createRequire(import.meta.url)('#manifest') as { readonly version: string }

/** The version of Verso, from package.json. */
export const version = manifest.version
