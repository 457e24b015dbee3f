// How long searches take, asked one after the other.
import { asker, median } from './latency.js'
import { startVerso } from './server.js'

const times = 15

/** For each text and kind of key what a first page takes without its total and with it; by one parameter of lists of posts. */
export async function timesOf(database, keys, { parameter, texts }) {
  const verso = await startVerso(database)
  const figures = {}
  for (const [name, text] of Object.entries(texts)) {
    for (const kind of ['public', 'secret']) {
      const ask = asker(verso, keys[kind])
      // No text is asked for twice as it is written, lest it be answered, or its total be known, from the time before.
      const askAll = async (total) => {
        const answers = []
        for (let i = 0; i < times; i++)
          answers.push(await ask(`/v1/posts?${parameter}=${encodeURIComponent(spelt(text, i))}&total=${total}`))
        return answers
      }
      const pages = await askAll(false)
      const counted = await askAll(true)
      figures[`${name}, ${kind}`] = {
        found: counted[0].answer.pagination.total,
        'ms without total': Number(median(pages.map(({ ms }) => ms)).toFixed(1)),
        'ms with total': Number(median(counted.map(({ ms }) => ms)).toFixed(1)),
      }
    }
  }
  await verso.stop()
  return figures
}

/** The same text in other letters: capitals where the number has a one. */
function spelt(text, number) {
  return [...text].map((letter, i) => ((number >> i) & 1 ? letter.toUpperCase() : letter)).join('')
}
