import Type, { type Static } from 'typebox'
import { nullable, Slug, text, WebUrl } from '../../actions/validation/schema-types.ts'

/** The project of a key, as every key may know it. */
export const ProjectBody = Type.Object(
  {
    slug: Slug,
    name: Type.String({ description: 'The name that people see.', examples: ['The blog'] }),
    siteUrl: nullable(WebUrl, { description: 'The public URL of the site.', examples: ['https://example.com'] }),
    permalink: nullable(text(2_048), {
      description: 'The path of a post on the site, with `{slug}` or `{id}`, and perhaps `{year}`, `{month}`, `{day}` and `{category}`.',
      examples: ['/blog/{slug}'],
    }),
  },
  { title: 'Project' },
)
export type ProjectBody = Static<typeof ProjectBody>
