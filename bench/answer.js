// One real answer, for the floor to repeat.

/** The status, headers and bytes that a request is answered with; without a coding, which `fetch` would ask for and take off. */
export async function answerTo(url, headers) {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
  const skipped = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])
  const kept = Object.fromEntries([...response.headers].filter(([name]) => !skipped.has(name)))
  return { status: response.status, headers: kept, body: Buffer.from(await response.arrayBuffer()) }
}
