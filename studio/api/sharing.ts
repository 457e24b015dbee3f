import type { PreviewToken, ProjectApi, Visibility } from './verso.ts'

export async function listPreviews({ verso }: ProjectApi, id: string, signal: AbortSignal): Promise<readonly PreviewToken[]> {
  const query = { idOrSlug: id, limit: 100, total: false } as const
  return (await verso.request('GET /v1/posts/{idOrSlug}/preview-tokens', query, { signal })).data
}

/** A token that shows the post to whoever has it. It is told only now. */
export async function makePreview({ verso }: ProjectApi, id: string): Promise<string> {
  return (await verso.posts.createPreviewToken(id, {})).token
}

export function revokePreview({ verso }: ProjectApi, id: string, tokenId: string): Promise<unknown> {
  return verso.request('DELETE /v1/posts/{idOrSlug}/preview-tokens/{tokenId}', { idOrSlug: id, tokenId })
}

/** Why the public sees the post, or does not. */
export function explainVisibility({ verso }: ProjectApi, id: string, signal: AbortSignal): Promise<Visibility> {
  return verso.request('GET /v1/posts/{idOrSlug}/visibility', { idOrSlug: id }, { signal })
}
