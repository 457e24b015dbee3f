import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserOfFile, complaintsOf, signInto } from '../harness/browser.ts'
import { engines, shared, startVerso } from '../harness/harness.ts'

const open = browserOfFile()
const [engine] = engines
if (!engine) throw new Error('no engine')

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const said = (page: Page, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()
const dialog = (page: Page) => page.locator('dialog[open]')
const undo = (page: Page) => button(page, 'Undo').last().click()

describe('authors, categories and tags', () => {
  const started = shared(async () => {
    const verso = await startVerso(engine)
    const key = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'authors:read')
    return {
      verso,
      read: async (path: string) => (await verso.get(path, { key })).body,
      write: (path: string, body: object) => verso.post(path, body, { key }),
    }
  })
  /** A page of the owner, whose complaints are looked at in the end. */
  const enter = async (path: string, name: string) => {
    const { verso } = await started()
    const page = await open()
    const complaints = complaintsOf(page)
    await signInto(page, verso, name, 'owner')
    await page.goto(`${verso.app.url}/studio/in/default/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { page, complaints }
  }

  it('authors, by keyboard alone: create, rename, undo, and delete with another in their place', async () => {
    const { read, write } = await started()
    const { page, complaints } = await enter('authors', 'Owner A')
    for (const name of ['Mara Lindqvist', 'Jon Okafor']) {
      await page.keyboard.press('n')
      await page.getByLabel('Name').waitFor()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await said(page, `${name} created.`)
    }
    const [jon, mara] = (await read('/v1/authors')).data
    await write('/v1/posts', { title: 'By Mara', authorId: mara.id })
    await page.reload()
    await button(page, 'Mara Lindqvist').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Mara Holt')
    await page.keyboard.press('Enter')
    await said(page, 'Mara Holt saved.')
    await undo(page)
    await button(page, 'Mara Lindqvist').waitFor()
    expect(await read(`/v1/authors/${mara.id}`)).toMatchObject({ name: 'Mara Lindqvist', slug: 'mara-lindqvist', version: 3 })

    await button(page, 'Mara Lindqvist').focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByLabel('Give the posts to').press('J')
    await dialog(page).getByRole('button', { name: 'Delete' }).press('Enter')
    await said(page, 'Mara Lindqvist deleted.')
    expect((await read('/v1/posts')).data).toMatchObject([{ title: 'By Mara', author: { id: jon.id } }])
    expect(complaints).toEqual([])
  })

  it('categories: what only posts in the trash name is asked for when the answer says so', async () => {
    const { verso, read, write } = await started()
    const [used, other] = [
      (await write('/v1/admin/categories', { name: 'Used' })).body,
      (await write('/v1/admin/categories', { name: 'Other' })).body,
    ]
    const { body: post } = await write('/v1/posts', { title: 'Thrown away', categoryId: used.id })
    await verso.delete(`/v1/posts/${post.id}`)
    const { page } = await enter('categories', 'Owner B')
    await button(page, 'Used').click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('Move the posts to').selectOption(other.id)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Used deleted.')
    expect((await read('/v1/categories')).data.map(({ name }: { readonly name: string }) => name)).toEqual(['Other'])
  })

  it('tags: renamed in every post that has one, undone, and taken off', async () => {
    const { read, write } = await started()
    for (const [i, tags] of [['boats', 'tools'], ['boats'], ['tools']].entries()) await write('/v1/posts', { title: `Tagged ${i}`, tags })
    const tags = async () =>
      (await read('/v1/posts?sort=title&search=tagged')).data.map((post: { readonly tags: readonly string[] }) => post.tags)
    const { page, complaints } = await enter('tags', 'Owner C')
    await button(page, 'boats').click()
    await page.getByLabel('Name').fill('Ships')
    await button(page, 'Rename').click()
    await said(page, '2 posts now have the tag Ships.')
    expect(await tags()).toEqual([['Ships', 'tools'], ['Ships'], ['tools']])
    await undo(page)
    await button(page, 'boats').waitFor()
    expect(await tags()).toEqual([['boats', 'tools'], ['boats'], ['tools']])
    await button(page, 'tools').click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await said(page, 'tools taken off 2 posts.')
    expect(await tags()).toEqual([['boats'], ['boats'], []])
    expect(complaints).toEqual([])
  })
})
