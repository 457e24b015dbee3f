import { Problem } from '@verso/client'
import { cookies, draftMode } from 'next/headers'
import { notFound } from 'next/navigation'
import { drafts, verso } from '../../verso.js'

export async function generateStaticParams() {
  const slugs = []
  for await (const { slug } of verso.posts.all({ status: 'published', fields: ['slug'] })) slugs.push({ slug })
  return slugs
}

async function read({ slug }) {
  const { isEnabled } = await draftMode()
  const token = isEnabled ? (await cookies()).get('preview_token')?.value : undefined
  const draft = token ? await found(drafts.posts.get(slug, { include: 'html', preview_token: token })) : undefined
  if (draft) return draft
  // A token opens one post. The others are there as everybody sees them, whatever the key may see.
  const post = await found(verso.posts.get(slug, { include: 'html' }))
  return post?.status === 'published' ? post : notFound()
}

/** Nothing for a post that is not there. */
function found(post) {
  return post.catch((error) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
  })
}

export async function generateMetadata({ params }) {
  const { title, excerpt, seo } = await read(await params)
  return { title: seo.title ?? title, description: seo.description ?? excerpt }
}

export default async function Post({ params }) {
  const { title, contentHtml } = await read(await params)
  return (
    <article>
      <h1>{title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: Verso has made this HTML safe. */}
      <div dangerouslySetInnerHTML={{ __html: contentHtml }} />
    </article>
  )
}
