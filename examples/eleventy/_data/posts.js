import { Verso } from '@verso/client'

const verso = new Verso({ url: process.env.VERSO_URL, key: process.env.VERSO_KEY })

export default async function posts() {
  const all = []
  for await (const post of verso.posts.all({ status: 'published', include: 'html', exclude: 'content' })) all.push(post)
  return all
}
