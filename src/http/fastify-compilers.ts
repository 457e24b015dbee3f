/** Instead of compilers of schemas that Fastify would load before it is told of others; they take a tenth of the start, and no route has a schema for Fastify. */
export const noCompilers = { buildValidator: refuse, buildSerializer: refuse }

function refuse(): never {
  throw new Error('a route has a schema for Fastify')
}
