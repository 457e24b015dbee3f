import type { ByName, JsonSchema, Parameter } from '../openapi/openapi-types.ts'
import { type Html, html, inline } from './html.ts'

/** So many values of a list are named at once; more are folded away. */
const maxShownValues = 8

/** The shapes of the document, each with all its fields. */
export function shapes(schemas: ByName<JsonSchema>): Html {
  return html`<section id="shapes"><h2>Shapes</h2>
<p>What requests and answers are made of. Fields marked <em>optional</em> may be left out of what is sent, or may be missing in what comes.</p>
${Object.entries(schemas).map(([name, schema]) => html`<section class="shape" id="shape-${name}"><h3><a href="#shape-${name}">${name}</a></h3>${about(schema)}<details open><summary>${Object.keys(schema.properties ?? {}).length} fields</summary>${fields(schema)}</details></section>`)}
</section>`
}

/** The fields of an object, those of objects within it folded away. */
export function fields({ properties = {}, required = [] }: JsonSchema): Html {
  return html`<dl>${Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)))}</dl>`
}

/** One parameter of a path, query or header. */
export function parameter({ name, required = false, description, schema }: Parameter): Html {
  return html`<dt><code>${name}</code> <span>${typeOf(schema)}${required ? ', required' : ''}</span></dt><dd>${inline(description)}${limits(schema)}${foldedValues(schema)}</dd>`
}

/** The name of a shape, leading to it, or what stands there instead. */
export function shapeLink(schema: JsonSchema): Html {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? html`${typeOf(schema)}` : html`<a href="#shape-${name}">${name}</a>`
}

function field(name: string, schema: JsonSchema, required: boolean): Html {
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined
  const nested = inner && html`<details><summary>Its fields</summary>${fields(inner)}</details>`
  const said = schema.description === undefined ? undefined : inline(schema.description)
  return html`<dt><code>${name}</code> <span>${typeOf(schema)}${required ? '' : ', optional'}</span></dt><dd>${said}${limits(schema)}${foldedValues(schema)}${nested}</dd>`
}

function about({ description }: JsonSchema): Html | undefined {
  return description === undefined ? undefined : html`<p>${inline(description)}</p>`
}

function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return shapeLink(schema)
  const types = [schema.type ?? 'any'].flat()
  const orNull = types.includes('null') ? ' or null' : ''
  if (schema.items) return html`list of ${typeOf(schema.items)}${orNull}`
  const names = shownValues(schema.enum ?? [])
  if (names.length > 0) return html`${names.length > maxShownValues ? 'names' : valueNames(names)}${orNull}`
  if (schema.format !== undefined) return html`${formatNames[schema.format] ?? schema.format}${orNull}`
  return html`${types.filter((type) => type !== 'null').join(' or ')}${orNull}`
}

/** The values of an enumeration; of a name and its descending twin the name alone. */
function shownValues(all: readonly unknown[]): readonly string[] {
  const names = all.filter((value) => value !== null).map(String)
  return names.filter((name) => !(name.startsWith('-') && names.includes(name.slice(1))))
}

function valueNames(names: readonly string[]): Html {
  return html`${names.map((name, i) => html`${i > 0 ? ', ' : ''}<code>${name}</code>`)}`
}

/** The values that are too many to stand beside the name. */
function foldedValues({ enum: all, items }: JsonSchema): Html | undefined {
  const names = shownValues(all ?? items?.enum ?? [])
  return names.length > maxShownValues ? html`<details><summary>${names.length} values</summary>${valueNames(names)}</details>` : undefined
}

const formatNames: ByName<string> = { 'date-time': 'date-time', uri: 'URL', email: 'e-mail address' }

function limits(schema: JsonSchema): Html | undefined {
  const { minimum, maximum, maxLength, maxItems, pattern } = schema
  const trimmed = schema['x-maxTrimmedLength']
  const bytes = schema['x-maxBytes']
  const facts = [
    minimum !== undefined && (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) ? `At least ${minimum}.` : undefined,
    minimum !== undefined && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER
      ? `From ${minimum} to ${number(maximum)}.`
      : undefined,
    maxLength === undefined && trimmed === undefined ? undefined : `At most ${number(maxLength ?? trimmed ?? 0)} characters.`,
    bytes === undefined ? undefined : `At most ${number(bytes)} bytes.`,
    maxItems === undefined ? undefined : `At most ${maxItems}.`,
    schema.default === undefined ? undefined : `By default \`${[schema.default].flat().join(',')}\`.`,
    pattern === undefined || pattern === '\\S' ? undefined : `Form: \`${pattern}\`.`,
  ].filter((fact) => fact !== undefined)
  return facts.length === 0 ? undefined : html` <small>${inline(facts.join(' '))}</small>`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
