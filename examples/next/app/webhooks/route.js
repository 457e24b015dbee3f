import { UnverifiedWebhook, verifyWebhook } from '@verso/client/webhooks'
import { revalidateTag } from 'next/cache'

/** Verso tells of every change. The next request for a page makes it anew. */
export async function POST(request) {
  try {
    await verifyWebhook(request, process.env.WEBHOOK_SECRET)
  } catch (error) {
    if (error instanceof UnverifiedWebhook) return new Response(error.message, { status: 400 })
    throw error
  }
  revalidateTag('verso', { expire: 0 })
  return new Response(null, { status: 204 })
}
