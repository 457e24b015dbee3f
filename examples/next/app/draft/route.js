import { Problem } from '@verso/client'
import { cookies, draftMode } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { drafts } from '../verso.js'

/** Whoever has a preview token sees its draft, until the browser is closed. next.config.mjs leads the links of Verso here. */
export async function GET(request) {
  const { slug, preview_token: token } = Object.fromEntries(new URL(request.url).searchParams)
  if (!slug || !token) notFound()
  const post = await drafts.posts.preview(slug, token).catch((error) => {
    if (error instanceof Problem && error.code === 'not_found') notFound()
    throw error
  })
  const draft = await draftMode()
  draft.enable()
  const jar = await cookies()
  jar.set('preview_token', token, { httpOnly: true, sameSite: 'lax', secure: request.url.startsWith('https:') })
  redirect(`/posts/${post.slug}`)
}
