type Row = Readonly<Record<string, unknown>>

/** A post as Ghost exports it. */
export function ghostPost(fields: Row = {}): Row {
  return {
    id: '5f0000000000000000000001',
    uuid: '11111111-1111-4111-8111-111111111111',
    title: 'A ship',
    slug: 'a-ship',
    html: '<p>Hello</p>',
    status: 'published',
    visibility: 'public',
    type: 'post',
    published_at: '2020-01-02T03:04:05.000Z',
    created_at: '2020-01-01T00:00:00.000Z',
    ...fields,
  }
}

/** The JSON of an export, with the wrapper that most versions have. */
export function ghostExport(data: Readonly<Record<string, readonly Row[]>>, { flat = false } = {}): string {
  const content = { meta: { exported_on: 1, version: '5.0.0' }, data }
  return JSON.stringify(flat ? content : { db: [content] })
}

/** Ids of posts that differ. */
export function idOf(number: number): string {
  return `5f${String(number).padStart(22, '0')}`
}
