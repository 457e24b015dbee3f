import { describe, expect, it } from 'vitest'
import { button, dialog, focused, said, studioOfFile, undo } from './steps.ts'

describe('authors, categories and tags', () => {
  const { started, enter } = studioOfFile()

  it('authors, by keyboard alone: create, rename, undo, and delete with another in their place', async () => {
    const { read, write } = await started()
    const { page, complaints } = await enter({ path: 'authors', name: 'Owner A', role: 'owner' })
    await button(page, 'New author').waitFor()
    for (const name of ['Mara Lindqvist', 'Jon Okafor']) {
      await page.keyboard.press('n')
      await focused(page, page.getByLabel('Name'))
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await said(page, `${name} created.`)
    }
    const [jon, mara] = (await read('/v1/authors')).data
    await write('/v1/posts', { title: 'By Mara', authorId: mara.id })
    await page.reload()
    await button(page, 'Mara Lindqvist').focus()
    await page.keyboard.press('Enter')
    await focused(page, page.getByLabel('Name'))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Mara Holt')
    await page.keyboard.press('Enter')
    await said(page, 'Mara Holt saved.')
    await undo(page)
    await button(page, 'Mara Lindqvist').waitFor()
    expect(await read(`/v1/authors/${mara.id}`)).toMatchObject({ name: 'Mara Lindqvist', slug: 'mara-lindqvist', version: 3 })

    await button(page, 'Mara Lindqvist').focus()
    await page.keyboard.press('Enter')
    await button(dialog(page), 'Delete').press('Enter')
    await page.getByLabel('Give the posts to').press('J')
    await button(dialog(page), 'Delete').press('Enter')
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
    const { page } = await enter({ path: 'categories', name: 'Owner B', role: 'owner' })
    await button(page, 'Used').click()
    await button(dialog(page), 'Delete').click()
    await button(dialog(page), 'Delete').click()
    await page.getByLabel('Move the posts to').selectOption(other.id)
    await button(dialog(page), 'Delete').click()
    await said(page, 'Used deleted.')
    expect((await read('/v1/categories')).data.map(({ name }: { readonly name: string }) => name)).toEqual(['Other'])
  })

  it('categories: that there is one of the name already is said while one types it', async () => {
    const { write } = await started()
    await write('/v1/admin/categories', { name: 'Harbour' })
    const { page } = await enter({ path: 'categories', name: 'Owner D', role: 'owner' })
    await button(page, 'Harbour').waitFor()
    await page.keyboard.press('n')
    const taken = dialog(page).getByText('There is one of this name already.')
    await page.getByLabel('Name').fill('harbour ')
    await taken.waitFor()
    await page.getByLabel('Name').fill('Harbours')
    await taken.waitFor({ state: 'detached' })
    page.once('dialog', (question) => question.accept())
    await page.keyboard.press('Escape')
    await button(page, 'Harbour').click()
    await page.getByLabel('Name').fill('Harbour')
    expect(await taken.count()).toBe(0)
  })

  it('tags: renamed in every post that has one, undone, and taken off', async () => {
    const { read, write } = await started()
    for (const [i, tags] of [['boats', 'tools'], ['boats'], ['tools']].entries()) await write('/v1/posts', { title: `Tagged ${i}`, tags })
    const tags = async () =>
      (await read('/v1/posts?sort=title&search=tagged')).data.map((post: { readonly tags: readonly string[] }) => post.tags)
    const { page, complaints } = await enter({ path: 'tags', name: 'Owner C', role: 'owner' })
    await button(page, 'boats').click()
    await button(page, 'Rename').click()
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'boats').click()
    await page.getByLabel('Name').fill('Ships')
    await button(page, 'Rename').click()
    await said(page, '2 posts now have the tag Ships.')
    expect(await tags()).toEqual([['Ships', 'tools'], ['Ships'], ['tools']])
    await undo(page)
    await button(page, 'boats').waitFor()
    expect(await tags()).toEqual([['boats', 'tools'], ['boats'], ['tools']])
    await button(page, 'tools').click()
    await button(dialog(page), 'Delete').click()
    await button(dialog(page), 'Delete').click()
    await said(page, 'tools taken off 2 posts.')
    expect(await tags()).toEqual([['boats'], ['boats'], []])
    expect(complaints).toEqual([])
  })

  it('a tag is added to several posts; one that somebody has tagged meanwhile keeps their tags', async () => {
    const { verso, read, write } = await started()
    const posts = await Promise.all(['Hasty one', 'Hasty two'].map((title) => write('/v1/posts', { title, tags: ['old'] })))
    const ids = posts.map(({ body }) => body.id)
    const tags = () => Promise.all(ids.map(async (id) => (await read(`/v1/posts/${id}`)).tags))
    const { page } = await enter({ path: 'posts?search=Hasty&sort=title', name: 'Tag Adder' })
    for (const i of [0, 1]) await page.getByRole('checkbox').nth(i).check()
    await verso.patch(`/v1/posts/${ids[0]}`, { tags: ['old', 'theirs'] })
    await button(page, 'Add tag').click()
    await dialog(page).getByLabel('Tag', { exact: true }).fill('mine')
    await page.keyboard.press('Enter')
    await said(page, '1 post was left as it was')
    await said(page, '1 post tagged.')
    expect(await tags()).toEqual([
      ['old', 'theirs'],
      ['old', 'mine'],
    ])
    await undo(page)
    await expect.poll(tags).toEqual([['old', 'theirs'], ['old']])
  })
})
