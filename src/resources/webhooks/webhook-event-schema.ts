import Type, { type TSchema } from 'typebox'
import { newsOf } from '../../actions/change-log/change.ts'
import { InstantOut, idSchema, oneOf, Slug } from '../../actions/validation/schema-types.ts'
import { type Kind, kinds } from '../../values/ids.ts'
import { ping, projectChanged } from './webhook.ts'

interface DocumentedEvent {
  readonly schema: TSchema
  readonly summary: string
  readonly description: string
}

const prefixes: Readonly<Record<Kind, string>> = { post: 'post', author: 'auth', category: 'cat', media: 'med' }

/** The bodies of deliveries: what each event sends. `schemas` are those of the resources, whole. */
export function documentedEvents(schemas: Readonly<Record<Kind, TSchema>>): Readonly<Record<string, DocumentedEvent>> {
  const ofResources = kinds.flatMap((kind) => {
    const schema = eventOf(kind, newsOf[kind], Type.Union([schemas[kind], goneOf(kind)], { description: aboutData }))
    return newsOf[kind].map(
      (type) => [type, { schema, summary: summaryOf(type), description: 'The resource as it is when this is sent.' }] as const,
    )
  })
  const nothing = Type.Object({}, { description: 'Empty.', additionalProperties: false })
  return {
    ...Object.fromEntries(ofResources),
    [projectChanged]: {
      schema: eventOf('project', [projectChanged], nothing),
      summary: 'Something public has changed',
      description: 'For sites that are rebuilt as a whole. At most one waits at a time. It is sent only if a webhook names it.',
    },
    [ping]: { schema: eventOf('ping', [ping], nothing), summary: 'A test', description: 'Sent once, when somebody asks for it.' },
  }
}

const aboutData = 'The resource, as a key with `posts:read_drafts` and without `authors:read_email` sees it; its `id` alone if it is gone.'

function eventOf(name: string, types: readonly string[], data: TSchema): TSchema {
  return Type.Object(
    {
      type: oneOf(types),
      timestamp: { ...InstantOut, description: 'When it happened.' },
      project: { ...Slug, description: 'The slug of the project.' },
      revision: Type.Integer({ minimum: 0, description: 'The revision of the project; 0 for a test.' }),
      data,
    },
    { title: `${capital(name)}Event` },
  )
}

function goneOf(kind: Kind): TSchema {
  return Type.Object({ id: idSchema(prefixes[kind]) }, { title: `Gone${capital(kind)}` })
}

function summaryOf(type: string): string {
  const [kind = '', what = ''] = type.split('.')
  return `${capital(kind)} ${what}`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
