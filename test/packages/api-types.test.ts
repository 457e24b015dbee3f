import { expect, it } from 'vitest'
import { describeApi } from '../../src/app/routes.ts'
import { toApiTypes } from './api-types.ts'

it('packages/client/src/api.ts has the types of the OpenAPI document (-u writes it again)', async () => {
  const types = toApiTypes(describeApi())
  expect(types).toContain("'GET /v1/posts/{idOrSlug}': {")
  expect(types).toContain('export interface Post {')
  await expect(types).toMatchFileSnapshot('../../packages/client/src/api.ts')
})
