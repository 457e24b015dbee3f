import { createRequire } from 'node:module'

const manifest = createRequire(import.meta.url)('#manifest') as { readonly version: string }

/** The version of this Verso, from its package. */
export const version = manifest.version
