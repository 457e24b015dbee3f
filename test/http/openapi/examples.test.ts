import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'
import { takeExamples } from '../../harness/example-tour.ts'
import { engines, seededRandom, startVerso, testContext } from '../../harness/harness.ts'

for (const engine of engines) {
  describe(`examples on ${engine.name}`, () => {
    it('src/http/openapi/examples.json is what the service answers (take it anew with `npx vitest run test/http/openapi/examples.test.ts -u`)', async () => {
      const context = testContext('2026-06-01T09:00:00.000Z', seededRandom('examples'))
      const { operations, problems } = await takeExamples(await startVerso(engine, { context }))
      for (const [code, answer] of Object.entries(problems)) expect(answer).toMatchObject({ code })
      for (const [operation, { status }] of Object.entries(operations)) expect(status, operation).toBeLessThan(300)
      await expect(`${JSON.stringify({ operations, problems }, null, 2)}\n`).toMatchFileSnapshot('../../../src/http/openapi/examples.json')
    })
  })
}

it('every operation under /v1 has an example, and of every body the answer', () => {
  const without = Object.entries(describeApi().paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, item]) => Object.values(item))
    .filter(({ responses, requestBody }) => {
      const contents = Object.values(responses).flatMap((answer) => ('content' in answer ? Object.values(answer.content ?? {}) : []))
      const media = [...contents, ...Object.values(requestBody?.content ?? {})]
      return media.some(({ example }) => example === undefined)
    })
  expect(without.map(({ operationId }) => operationId)).toEqual([])
})
