import Link from 'next/link'
import { verso } from './verso.js'

export default async function Home() {
  const posts = []
  for await (const post of verso.posts.all({ status: 'published', fields: ['title', 'slug', 'excerpt', 'publishedAt'] })) posts.push(post)
  return posts.map(({ id, title, slug, excerpt, publishedAt }) => (
    <section key={id}>
      <h2>
        <Link href={`/posts/${slug}`}>{title}</Link>
      </h2>
      <time dateTime={publishedAt}>{new Date(publishedAt).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}</time>
      <p>{excerpt}</p>
    </section>
  ))
}
