import type { TestApp } from './harness.ts'

export const token = 'a-token-for-metrics'
export const env = { VERSO_METRICS_TOKEN: token }

/** The samples of /metrics by name and labels. */
export async function samplesOf(verso: Pick<TestApp, 'get'>): Promise<ReadonlyMap<string, number>> {
  const { text } = await verso.get('/metrics', { key: token })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}
